# SPDX-License-Identifier: MIT
# Installs BUILD_DIR into WORK_DIR/prefix, builds CONSUMER_DIR against it and runs the program.
file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
foreach(step IN ITEMS
    "--install|${BUILD_DIR}|--prefix|${prefix}"
    "-G|${GENERATOR}|-S|${CONSUMER_DIR}|-B|${WORK_DIR}/build|-DCMAKE_PREFIX_PATH=${prefix}|-DCMAKE_CXX_COMPILER=${CXX}|-DCMAKE_BUILD_TYPE=Release"
    "--build|${WORK_DIR}/build")
  string(REPLACE "|" ";" arguments "${step}")
  execute_process(COMMAND ${CMAKE_COMMAND} ${arguments} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${arguments}\n${output}")
  endif()
endforeach()
execute_process(COMMAND ${WORK_DIR}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
