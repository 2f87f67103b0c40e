package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// maxLinks is how many links may lead to one path: as many as the kernel follows.
const maxLinks = 40

// CheckParents refuses a path that somebody else could put something in the place of: who may write into a folder may
// rename what is in it, unless the sticky bit keeps one user from another's. It goes the way that the kernel goes, from
// the root, so that the folders count in which the links lie that it meets. What is not there yet is not refused.
// thing says what is at the path, and variable what chose it.
func CheckParents(path, thing, variable string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	trusted := TrustedOwners()
	here, rest, links := string(filepath.Separator), parts(path), 0
	if err := checkFolder(here, trusted, thing, variable); err != nil {
		return err
	}
	for len(rest) > 0 {
		next := filepath.Join(here, rest[0]) // here has no links any more, so that .. is what it seems
		rest = rest[1:]
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink == 0:
			here = next
			if err := checkFolder(here, trusted, thing, variable); err != nil {
				return err
			}
			continue
		}
		// the sticky bit of a folder does not help against whoever made the link
		if !trusted[Owner(info)] {
			return fmt.Errorf("user %d, whose link %s is, may lead it elsewhere, also %s: set %s to a folder of yours",
				Owner(info), next, thing, variable)
		}
		if links++; links > maxLinks {
			return fmt.Errorf("%s leads through more than %d links: set %s to a folder of yours", path, maxLinks,
				variable)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return err
		}
		if filepath.IsAbs(target) {
			here = string(filepath.Separator)
		}
		rest = append(parts(target), rest...)
	}
	return nil
}

// parts are the names that a path consists of.
func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == filepath.Separator })
}

// checkFolder refuses a folder on the way to a path.
func checkFolder(dir string, trusted map[int]bool, thing, variable string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !trusted[Owner(info)] {
		return fmt.Errorf("user %d, whose folder %s is, may rename what is in it, also %s: set %s to a folder of yours",
			Owner(info), dir, thing, variable)
	}
	if who := renamers(info); who != "" {
		return fmt.Errorf("%s may rename what is in %s (it lacks the sticky bit), also %s: set %s to a folder of yours",
			who, dir, thing, variable)
	}
	return nil
}

// TrustedOwners are the users whose folders may lead to ours: we ourselves, whoever has the root directory (root, under
// whatever number a container shows him), and the owner of the clone, whose programs we run anyway. So root can run
// tests on somebody's checkout.
func TrustedOwners() map[int]bool {
	trusted := map[int]bool{os.Getuid(): true, 0: true, -1: true} // -1 is what a system says that has no owners
	dirs := []string{string(filepath.Separator)}
	if root, err := repo.Root(); err == nil {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil {
			trusted[Owner(info)] = true
		}
	}
	return trusted
}

// renamers says who beside its owner may rename what is in a folder, "" for nobody.
func renamers(info fs.FileInfo) string {
	if info.Mode()&fs.ModeSticky != 0 {
		return ""
	}
	return Writers(info)
}

// Writers says who beside its owner may put something into a folder, "" for nobody. A group with the number of the
// Owner is the owner's own, as most distributions make one for each user.
func Writers(info fs.FileInfo) string {
	switch mode := info.Mode().Perm(); {
	case mode&0o002 != 0:
		return "everybody"
	case mode&0o020 != 0 && group(info) != Owner(info):
		return fmt.Sprintf("group %d", group(info))
	}
	return ""
}
