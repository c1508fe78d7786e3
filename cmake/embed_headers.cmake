# cmake -DHEADERS=… -DFOLDER=… -DOUTPUT=… -P embed_headers.cmake: writes a source with the texts of headers (src/cuda/compile/headers.hpp).
set(entries)
set(all)
foreach(header ${HEADERS})
  file(READ ${FOLDER}/${header} text)
  if(text MATCHES "\\)crinkle\"")
    message(FATAL_ERROR "${header} holds what ends a text here: )crinkle\"")
  endif()
  string(REGEX REPLACE "^(include|src)/" "" name ${header})
  string(REGEX REPLACE "^cuda/compile/standard/(.*)\\.hpp$" "\\1" name ${name})
  string(APPEND entries "    {\"${name}\", R\"crinkle(${text})crinkle\"},\n")
  string(APPEND all "${name}\n${text}")
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "// Made by cmake/embed_headers.cmake.\n#include \"cuda/compile/headers.hpp\"\n
namespace crinkle::gpu {
namespace {

constexpr EmbeddedHeader headers[] = {
${entries}};

}  // namespace

std::span<const EmbeddedHeader> embedded_headers() { return headers; }
const char* embedded_headers_hash() { return \"${hash}\"; }

}  // namespace crinkle::gpu
")
