# 32-bit ARM with hardware floats, ARMv7.
set(triple arm-linux-gnueabihf)
set(processor armv7l)
set(emulator arm)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")
