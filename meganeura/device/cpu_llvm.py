"""What is left to LLVM: the processor's facts, and machine code.

LLVM's library is large, so it is loaded by helper processes (cpu_helper.py), which run this file by
its path: it imports nothing of the package, and starts in the time llvmlite takes to load. The
package imports it only where no process can be started, or to link where cpu_link.py cannot.

    python cpu_llvm.py facts                                   what `facts` tells, as JSON
    python cpu_llvm.py build PARENT CPU FEATURES CODE_MODEL    modules in, objects out

PARENT is the number of the process that asks.

A module is a line of JSON, its text and whether LLVM reduces strength; so is an object, as
`{"object": Base64}`.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from threading import Thread
from typing import Any

import llvmlite.binding as llvm


def create_machine(cpu: str, features: str, code_model: str) -> llvm.TargetMachine:
    """LLVM's view of a processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic", codemodel=code_model, jit=True
    )


class Compiler:
    """Builds objects in this process."""

    def __init__(self, cpu: str, features: str, code_model: str) -> None:
        self._machine = create_machine(cpu, features, code_model)

    def build(self, text: str, reduces_strength: bool = True) -> bytes:
        """Machine code for an LLVM module.

        What LLVM's own pipeline would find, the renderer has done: values are computed outside of
        the loops that do not change them, lanes are vectors, what should be unrolled is. Only
        registers are left to be made of variables; see docs/decisions."""
        module = llvm.parse_assembly(text)
        module.verify()
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        options = llvm.create_pipeline_tuning_options()
        passes.run(module, llvm.create_pass_builder(self._machine, options))
        llvm.set_option("", f"-disable-lsr={str(not reduces_strength).lower()}")
        code: bytes = self._machine.emit_object(module)
        return code


def link(objects: Sequence[bytes], names: Sequence[str]) -> Any:
    """Objects in memory, by LLVM's own linker: an address for each name."""
    machine = create_machine(llvm.get_host_cpu_name(), "", "jitdefault")
    library = llvm.JITLibraryBuilder()
    for code in objects:
        library = library.add_object_img(code)
    library = library.add_current_process()
    for name in names:
        library = library.export_symbol(name)
    return library.link(llvm.create_lljit_compiler(machine), "plan")


def facts() -> dict[str, str]:
    """The processor's name and features."""
    return {
        "name": llvm.get_host_cpu_name(),
        "features": llvm.get_host_cpu_features().flatten(),
    }


LOOK_SECONDS = 0.25
"""How often it is looked whether the parent is there."""


def end_with(parent: int) -> None:
    """End when the parent is no more. That nothing can be read from it does not tell: a process
    forked from it may keep the pipes open. Linux's own signal comes when the thread ends that
    started this process, not with the parent."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


def main(task: str, *arguments: str) -> None:
    """What the command line asks for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    if task == "facts":
        sys.stdout.write(json.dumps(facts()))
        return
    parent, *machine = arguments
    Thread(target=end_with, args=(int(parent),), daemon=True).start()
    compiler = Compiler(*machine)
    for line in sys.stdin.buffer:
        code = compiler.build(*json.loads(line))
        sys.stdout.write(json.dumps({"object": base64.b64encode(code).decode()}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
