"""What the tests of the tool share: running it, and counting claims.

Environment: VIEWFOLD is the tool, PYTHON the interpreter that runs this, VIEWFOLD_ORDER the byte order of the
tool's machine where that is another one: "<" or ">".
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

TOOL = os.environ["VIEWFOLD"]
# Asked of another program: what this one has had in memory would count as the tool's, too.
SANITIZED = subprocess.run(["grep", "-q", "-a", "__asan_init", TOOL]).returncode == 0
NUMPY = tuple(int(part) for part in np.__version__.split(".")[:2])
_claims = 0
_failures = []


def run(*args, stdin=None, env=None):
    """Run the tool; the result has returncode, stdout (bytes) and stderr (text)."""
    done = subprocess.run([TOOL, *map(str, args)], input=stdin, capture_output=True,
                          env={**os.environ, **(env or {})})
    done.stderr = done.stderr.decode("utf-8", "replace")
    return done


def as_there(array):
    """The same values in the byte order of the tool's machine: what it writes into a .npy."""
    return array.astype(array.dtype.newbyteorder(os.environ.get("VIEWFOLD_ORDER", "=")), order="K", copy=False)


def claim(holds, text, *details):
    """One claim; a failure is told with its details and counted."""
    global _claims
    _claims += 1
    if not holds:
        _failures.append(text)
        print("FAILED:", text)
        for detail in details:
            print("   ", str(detail).replace("\n", "\n    ")[:2000])
    return holds


def succeeds(*args, **kwargs):
    done = run(*args, **kwargs)
    claim(done.returncode == 0 and not done.stderr, " ".join(map(str, args)) + " succeeds",
          done.returncode, done.stderr)
    return done


def fails(status, words, *args, **kwargs):
    """The tool ends with `status`, one line on stderr, and each of `words` in that line."""
    done = run(*args, **kwargs)
    line = done.stderr
    one_line = line.startswith("viewfold: ") and line.count("\n") == 1 and line.endswith("\n")
    claim(done.returncode == status and one_line and all(word in line for word in words),
          f"{' '.join(map(str, args))[:200]} ends with {status} and one line that says {words}",
          done.returncode, line)
    return done


def scratch():
    """A directory that goes away with the test; the test runs in it."""
    keeper = tempfile.TemporaryDirectory(prefix="viewfold-test-")
    os.chdir(keeper.name)
    return keeper


def finish(name):
    print(f"{name}: {_claims - len(_failures)} of {_claims} claims hold")
    sys.exit(1 if _failures else 0)
