# SPDX-License-Identifier: MIT
"""What a machine finds after a power cut: made of the shadow that tests/shim/power_shim.cpp has written."""

import os
import shutil

PAGE = 4096


class Disk:
    """The files below `root`. Everything there is durable when it is made. The shadow must be beside the root."""

    def __init__(self, root, shadow):
        self.root = root
        self.shadow = shadow
        shutil.rmtree(shadow, ignore_errors=True)
        shadow.mkdir()
        for directory, _, files in os.walk(root):
            status = os.stat(directory)
            names = os.listdir(directory)
            lines = [f"{os.lstat(os.path.join(directory, name)).st_ino} {name}\n" for name in names]
            (shadow / f"directory-{status.st_ino}").write_text("".join(lines))
            for name in files:
                path = os.path.join(directory, name)
                shutil.copyfile(path, shadow / f"file-{os.lstat(path).st_ino}")

    def cut(self, random):
        """Replaces the files by what could be there: what was synchronised, with some or all of what came after."""
        inodes = {}
        for directory, directories, files in os.walk(self.root):
            for name in files + directories:
                path = os.path.join(directory, name)
                inodes.setdefault(os.lstat(path).st_ino, path)
        for path in self.shadow.glob("kept-*"):
            inodes.setdefault(path.lstat().st_ino, str(path))
        # 0: nothing that was not synchronised; 1: all names, but not the content; 2: by chance.
        how = random.randrange(3)
        rebuilt = self.root.with_name(self.root.name + ".rebuilt")
        self.rebuild(self.root, rebuilt, inodes, how, random)
        shutil.rmtree(self.root)
        rebuilt.rename(self.root)

    def rebuild(self, old, new, inodes, how, random):
        new.mkdir()
        note = self.shadow / f"directory-{old.lstat().st_ino}"
        durable = how == 0 or (how == 2 and random.random() < 0.5)
        if durable:
            lines = note.read_text().splitlines() if note.exists() else []
            entries = [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines]
        else:
            entries = [(path.lstat().st_ino, path.name) for path in old.iterdir()]
        for inode, name in entries:
            path = inodes.get(inode)
            if path is None:
                continue  # a directory that was removed: empty, so nothing is lost
            if os.path.isdir(path):
                self.rebuild(old / name, new / name, inodes, how, random)
                continue
            os.link(path, new / name)
            self.content(new / name, inode, how, random)

    def content(self, path, inode, how, random):
        shadow = self.shadow / f"file-{inode}"
        present = path.read_bytes()
        if shadow.exists():
            right = shadow.read_bytes()
        else:
            # Never synchronised: nothing, or as long as it was, with anything in it.
            right = random.choice([b"", bytes(len(present)), b"\xa5" * len(present)])
        if how == 2 and random.random() < 0.7:
            # Pages that were written later have reached the disk, or have not.
            pages = range(0, max(len(right), len(present)), PAGE)
            share = random.random()
            right = b"".join(
                (present if random.random() < share else right)[at : at + PAGE].ljust(PAGE, b"\0") for at in pages
            )[: random.choice([len(right), len(present)])]
        if right == present:
            return  # nor has its time of change been lost
        with open(path, "r+b") as file:
            file.truncate(0)
            file.write(right)
