# The commit a binary was built from, for `crinkle --version` and the benchmarks' JSON.
set(CRINKLE_COMMIT "unknown")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                  OUTPUT_VARIABLE CRINKLE_COMMIT_FOUND OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(CRINKLE_COMMIT_FOUND)
    set(CRINKLE_COMMIT "${CRINKLE_COMMIT_FOUND}")
  endif()
  # So that it is asked again after a commit.
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.git/logs/HEAD")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/.git/logs/HEAD")
  endif()
endif()
