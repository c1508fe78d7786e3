# `find_package(crinkle)` gives crinkle::crinkle.
include(CMakePackageConfigHelpers)
install(TARGETS crinkle EXPORT crinkle-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET crinkle_shared)
  install(TARGETS crinkle_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/crinkle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT crinkle-targets NAMESPACE crinkle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle FILE crinkle-targets.cmake)
configure_package_config_file(cmake/crinkle-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/crinkle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/crinkle-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/crinkle)
