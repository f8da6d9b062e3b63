# SPDX-License-Identifier: MIT
# Installs BUILD_DIR into WORK_DIR/prefix, builds CONSUMER_DIR against it and runs the program. MOST_BYTES: of the installed
# emgraph; 0: any.
file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
set(source_dir ${SOURCE_DIR})
set(output_dir ${WORK_DIR}/headers)
include(${SOURCE_DIR}/scripts/public_headers.cmake)
list(JOIN public_headers "," public_headers)

function(run)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${ARGN}\n${output}")
  endif()
endfunction()
run(--install ${BUILD_DIR} --prefix ${prefix} --strip)
run(-G ${GENERATOR} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX}
    "-DPUBLIC_HEADERS=${public_headers}")
run(--build ${WORK_DIR}/build --target consumer)
execute_process(COMMAND ${WORK_DIR}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
run(--build ${WORK_DIR}/build --target alone --parallel 2)

# The installed example: a file with two components and an isolated node becomes labels.
run(-G ${GENERATOR} -S ${prefix}/share/emgraph/examples -B ${WORK_DIR}/example -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX})
run(--build ${WORK_DIR}/example)
file(WRITE ${WORK_DIR}/edges.csv "source,target\n0,1\n1,4\n3,5\n")
execute_process(COMMAND ${WORK_DIR}/example/components edges.csv labels.npy ${WORK_DIR} WORKING_DIRECTORY ${WORK_DIR}
                OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said STREQUAL "6 nodes, 3 edges, 3 components, the largest has 3 nodes\n")
  message(FATAL_ERROR "components: ${said}")
endif()
execute_process(COMMAND ${prefix}/bin/emgraph check cc edges.csv labels.npy -q WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK_DIR}/example/components missing.csv x.npy ${WORK_DIR} WORKING_DIRECTORY ${WORK_DIR}
                ERROR_VARIABLE said RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT said MATCHES "missing.csv: cannot open")
  message(FATAL_ERROR "components missing.csv: ${result} ${said}")
endif()

file(SIZE ${prefix}/bin/emgraph bytes)
if(MOST_BYTES AND bytes GREATER MOST_BYTES)
  message(FATAL_ERROR "The installed program has ${bytes} bytes, more than ${MOST_BYTES}.")
endif()

foreach(page IN ITEMS man/man1/emgraph.1 man/man1/emgraph-check-cc.1 bash-completion/completions/emgraph zsh/site-functions/_emgraph
                      fish/vendor_completions.d/emgraph.fish)
  file(SIZE ${prefix}/share/${page} bytes)
  if(bytes LESS 5000)
    message(FATAL_ERROR "${prefix}/share/${page} has ${bytes} bytes.")
  endif()
endforeach()
