# crinkle::mpi, a library of its own beside crinkle: programs that do not ask for it do not need MPI.
enable_language(C)  # whose functions it calls
find_package(MPI REQUIRED COMPONENTS C)
file(GLOB mpi_sources CONFIGURE_DEPENDS src/distribute/mpi/*.cpp)
add_library(crinkle_mpi_parts OBJECT ${mpi_sources})
target_include_directories(crinkle_mpi_parts SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
target_link_libraries(crinkle_mpi_parts PRIVATE crinkle_parts)
add_library(crinkle_mpi $<TARGET_OBJECTS:crinkle_mpi_parts>)
add_library(crinkle::mpi ALIAS crinkle_mpi)
target_include_directories(crinkle_mpi SYSTEM PUBLIC ${MPI_C_INCLUDE_DIRS})
target_link_libraries(crinkle_mpi PUBLIC crinkle ${MPI_C_LIBRARIES})
set_target_properties(crinkle_mpi PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME mpi SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                      VERSION ${PROJECT_VERSION})
