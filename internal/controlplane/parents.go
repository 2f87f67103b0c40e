package controlplane

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkParents refuses a path that somebody else could put something in the place of: who may write into a folder may
// rename what is in it, unless the sticky bit keeps one user from another's. thing says what is at the path, and
// variable what chose it.
func checkParents(path, thing, variable string) error {
	parent := filepath.Dir(path)
	if err := checkFolders(parent, thing, variable); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(parent) // the folders that a link leads through count as well
	if err != nil || real == parent {
		return err
	}
	return checkFolders(real, thing, variable)
}

func checkFolders(dir, thing, variable string) error {
	trusted := trustedOwners()
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if !trusted[owner(info)] {
			return fmt.Errorf("user %d, whose folder %s is, may rename what is in it, also %s: set %s to a folder of "+
				"yours",
				owner(info), dir, thing, variable)
		}
		if who := renamers(info); who != "" {
			return fmt.Errorf("%s may rename what is in %s (it lacks the sticky bit), also %s: set %s to a folder of "+
				"yours",
				who, dir, thing, variable)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// trustedOwners are the users whose folders may lead to ours: we ourselves, whoever has the root directory (root, under
// whatever number a container shows him), and the owner of the clone, whose programs we run anyway. So root can run
// tests on somebody's checkout.
func trustedOwners() map[int]bool {
	trusted := map[int]bool{os.Getuid(): true, 0: true, -1: true} // -1 is what a system says that has no owners
	dirs := []string{string(filepath.Separator)}
	if root, err := Root(); err == nil {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil {
			trusted[owner(info)] = true
		}
	}
	return trusted
}

// renamers says who beside its owner may rename what is in a folder, "" for nobody.
func renamers(info fs.FileInfo) string {
	if info.Mode()&fs.ModeSticky != 0 {
		return ""
	}
	return writers(info)
}

// writers says who beside its owner may put something into a folder, "" for nobody. A group with the number of the
// owner is the owner's own, as most distributions make one for each user.
func writers(info fs.FileInfo) string {
	switch mode := info.Mode().Perm(); {
	case mode&0o002 != 0:
		return "everybody"
	case mode&0o020 != 0 && group(info) != owner(info):
		return fmt.Sprintf("group %d", group(info))
	}
	return ""
}
