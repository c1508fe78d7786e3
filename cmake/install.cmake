# `find_package(crinkle)` gives crinkle::crinkle, the C++ library, and crinkle::crinkle_c, the functions of crinkle.h for all other languages;
# pkg-config knows them as crinkle and crinkle_c.
include(CMakePackageConfigHelpers)
install(TARGETS crinkle EXPORT crinkle-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET crinkle_shared)
  install(TARGETS crinkle_shared EXPORT crinkle-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET crinkle_mpi)  # find_package(crinkle COMPONENTS mpi) gives crinkle::mpi
  install(TARGETS crinkle_mpi EXPORT crinkle-mpi-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT crinkle-mpi-targets NAMESPACE crinkle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle)
endif()
install(DIRECTORY include/crinkle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT crinkle-targets NAMESPACE crinkle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle FILE crinkle-targets.cmake)
configure_package_config_file(cmake/crinkle-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/crinkle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle)

# What a program has to link beside a static library; a shared one has it.
get_target_property(crinkle_type crinkle TYPE)
file(RELATIVE_PATH CRINKLE_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(CRINKLE_PC_PRIVATE "-lfmt -lhwy -pthread -ldl")
if(CRINKLE_HAS_CUDA)
  string(APPEND CRINKLE_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt")
endif()
set(CRINKLE_PC_LIBS "-lcrinkle")
if(crinkle_type STREQUAL "STATIC_LIBRARY")
  string(APPEND CRINKLE_PC_LIBS " ${CRINKLE_PC_PRIVATE}")  # there is no shared one, which pkg-config would ask --static for
endif()
set(CRINKLE_PC_WHAT "the C++ library; C++20")
configure_file(cmake/crinkle.pc.in ${CMAKE_CURRENT_BINARY_DIR}/crinkle.pc @ONLY)
set(pc_files ${CMAKE_CURRENT_BINARY_DIR}/crinkle.pc)
if(TARGET crinkle_shared)
  set(CRINKLE_PC_LIBS "-lcrinkle_c")
  set(CRINKLE_PC_WHAT "the functions of crinkle.h for C and other languages")
  configure_file(cmake/crinkle.pc.in ${CMAKE_CURRENT_BINARY_DIR}/crinkle_c.pc @ONLY)
  list(APPEND pc_files ${CMAKE_CURRENT_BINARY_DIR}/crinkle_c.pc)
endif()
install(FILES ${pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
