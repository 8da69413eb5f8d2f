"""An output is whole or not there, whatever happens; inputs are mapped, and may be the output."""
import os
import resource
import signal
import stat
import subprocess
import time

import numpy as np

from _tool import TOOL, claim, fails, finish, run, scratch, succeeds

keeper = scratch()
GIGABYTE = 1 << 30


def left_behind(directory="."):
    return [name for name in os.listdir(directory) if name.startswith(".viewfold")]


def start(*args, **kwargs):
    return subprocess.Popen([TOOL, *args], stderr=subprocess.PIPE, stdout=subprocess.PIPE, **kwargs)


def wait_for_output(process):
    """Until the temporary file stands in the directory."""
    while process.poll() is None and not left_behind():
        time.sleep(0.001)


# The output may be an input.
array = np.arange(12.0).reshape(3, 4)
np.save("a.npy", array)
succeeds("run", "x.T", "x=a.npy", "-o", "a.npy")
claim(np.array_equal(np.load("a.npy"), array.T), "output over its own input")
os.symlink("a.npy", "link.npy")
succeeds("run", "x.T", "x=a.npy", "-o", "link.npy")
claim(os.path.islink("link.npy") and np.array_equal(np.load("a.npy"), array), "output through a link")
os.chmod("a.npy", 0o640)
succeeds("run", "x", "x=a.npy", "-o", "a.npy")
claim(stat.S_IMODE(os.stat("a.npy").st_mode) == 0o640, "an output keeps the mode it had")
os.umask(0o027)
succeeds("run", "x", "x=a.npy", "-o", "new.npy")
claim(stat.S_IMODE(os.stat("new.npy").st_mode) == 0o640, "a new output heeds the umask", oct(os.stat("new.npy").st_mode))
os.umask(0o022)

# Streams.
done = succeeds("run", "x", "x=a.npy", "-o", "-")
claim(done.stdout == open("a.npy", "rb").read(), "-o - writes to stdout")
done = succeeds("run", "x", "x=/dev/stdin", "-o", "-", stdin=open("a.npy", "rb").read())
claim(done.stdout == open("a.npy", "rb").read(), "an input may be a pipe")
done = succeeds("run", "x", "x=/dev/stdin", "-o", "-", stdin=open("a.npy", "rb").read() + bytes(3 << 20))
claim(len(done.stdout) == 128 + 96, "a long pipe")
succeeds("run", "x", "x=a.npy", "-o", "/dev/null")
claim(stat.S_ISCHR(os.stat("/dev/null").st_mode), "/dev/null is not replaced")
if os.path.exists("/dev/full"):
    fails(1, ["/dev/full", "No space left"], "run", "x", "x=a.npy", "-o", "/dev/full")
    for command in (["show"], ["explain"], ["dump"], ["graph"], ["bench"], ["bench", "--json"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TOOL, *command, "x", "x=a.npy"], stdout=full, stderr=subprocess.PIPE)
        claim(done.returncode == 1 and done.stderr == b"viewfold: standard output: No space left on device\n",
              f"{command} to a full device", done.returncode, done.stderr)

# Where an output cannot be.
fails(1, ["nowhere/out.npy", "No such file"], "run", "x", "x=a.npy", "-o", "nowhere/out.npy")
os.mkdir("folder.npy")
fails(1, ["folder.npy", "directory"], "run", "x", "x=a.npy", "-o", "folder.npy")
fails(1, ["a.npy/out.npy"], "run", "x", "x=a.npy", "-o", "a.npy/out.npy")
before = open("a.npy", "rb").read()
fails(1, ["reshape"], "run", "x.reshape(5)", "x=a.npy", "-o", "a.npy")
fails(1, ["PNG"], "run", "x", "x=a.npy", "-o", "bad.png")
if os.geteuid() != 0:
    os.chmod("a.npy", 0o440)
    fails(1, ["a.npy", "Permission denied"], "run", "x", "x=a.npy", "-o", "a.npy")
    os.chmod("a.npy", 0o640)
    os.mkdir("shut", 0o555)
    fails(1, ["shut/out.npy", "Permission denied"], "run", "x", "x=a.npy", "-o", "shut/out.npy")
claim(open("a.npy", "rb").read() == before and not left_behind() and not os.path.exists("bad.png"),
      "failures leave everything as it was", left_behind())


# Files may not grow beyond a limit, and a device may be full.
def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


process = start("run", "x", "x=u8[1000000]", "-o", "limited.npy", preexec_fn=small_files)
_, error = process.communicate()
claim(process.returncode == 1 and b"limited.npy: File too large" in error and not os.path.exists("limited.npy"),
      "a limit on the size of files", process.returncode, error)
np.save("noise.npy", np.random.default_rng(1).integers(0, 256, (500, 500), np.uint8))
process = start("run", "x", "x=noise.npy", "-o", "limited.png", preexec_fn=small_files)
_, error = process.communicate()
claim(process.returncode == 1 and b"limited.png: File too large" in error and not left_behind()
      and not os.path.exists("limited.png"), "and of pictures", process.returncode, error)
os.mkdir("tiny")
if os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "tiny"],
                                        capture_output=True).returncode == 0:
    try:
        fails(1, ["tiny/out.npy", "No space left"], "run", "x", "x=u8[1000000]", "-o", "tiny/out.npy")
        fails(1, ["tiny/out.png", "No space left"], "run", "x", "x=noise.npy", "-o", "tiny/out.png")
        claim(os.listdir("tiny") == [], "a full device keeps nothing", os.listdir("tiny"))
        succeeds("run", "x", "x=u8[1000]", "-o", "tiny/out.npy")
        fails(1, ["tiny/out.npy", "No space left"], "run", "x", "x=u8[100000]", "-o", "tiny/out.npy")
        claim(os.listdir("tiny") == ["out.npy"] and np.load("tiny/out.npy").shape == (1000,),
              "a full device keeps what was there")
    finally:
        subprocess.run(["umount", "tiny"], check=False)
else:
    print("skipped: a full device (needs to mount one)")

# A signal removes what is half written.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    process = start("run", "x.expand(1073741824)", "x=u8[1]", "-o", "long.npy", "--threads", "1")
    wait_for_output(process)
    process.send_signal(number)
    process.communicate()
    if process.returncode == 0:
        os.remove("long.npy")
        print(f"skipped: signal {number} came too late")
        continue
    claim(process.returncode == -number, f"signal {number} ends the tool", process.returncode)
    claim(not left_behind() and not os.path.exists("long.npy"), f"signal {number} leaves nothing", left_behind())

# A file that is cut while it is mapped: one line.
header = np.lib.format.header_data_from_array_1_0(np.zeros(1, np.uint8))
header["shape"] = (GIGABYTE,)
with open("sparse.npy", "wb") as file:
    np.lib.format.write_array_header_1_0(file, header)
    file.truncate(file.tell() + GIGABYTE)
process = start("run", "x[::-1]", "x=sparse.npy", "-o", "cut.npy", "--threads", "1")
wait_for_output(process)
os.truncate("sparse.npy", 4096)
_, error = process.communicate()
if process.returncode == 0:
    os.remove("cut.npy")
    print("skipped: the cut came too late")
elif b"qemu: uncaught" in error:
    print("skipped: the emulator does not pass this signal on")
else:
    # qemu-user hands on its own address for this signal: on 32 bits the tool finds another file there.
    names = [b"viewfold: sparse.npy: "] + [b"viewfold: cut.npy: "] * ("VIEWFOLD_EMULATED" in os.environ)
    claim(process.returncode == 1 and error.startswith(tuple(names)) and error.count(b"\n") == 1,
          "a mapped file that is cut short", process.returncode, error)
    claim(not left_behind() and not os.path.exists("cut.npy"), "and no output of it", left_behind())

claim(not left_behind(), "nothing is left behind", left_behind())
finish("files")
