package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// ErrLeftAlone says that a state directory has a kubeconfig that no control plane of ours has written. SCRATCH_STATE
// may name any folder, and another tool may write into .lab.
var ErrLeftAlone = errors.New("is no kubeconfig of this repository, so it is left alone")

// CheckForeign refuses to remove or to replace such a kubeconfig.
func CheckForeign(lab string) error {
	path := filepath.Join(lab, RunKubeconfig)
	data, err := ReadSmall(path)
	if errors.Is(err, fs.ErrNotExist) ||
		strings.Contains(string(data), "current-context: controllers-from-scratch\n") {
		return nil
	}
	return fmt.Errorf("%s %w: move it away, or set %s to a folder of its own", path, ErrLeftAlone, StateEnv)
}

// WriteKubeconfig writes the kubeconfig of a state directory. One there that no control plane of ours has written is an
// error, and stays.
func WriteKubeconfig(lab string, data []byte) error {
	if err := CheckForeign(lab); err != nil {
		return err
	}
	return WriteFile(filepath.Join(lab, RunKubeconfig), data)
}

// RemoveKubeconfig removes the kubeconfig of a state directory, if there is one. One that no control plane of ours has
// written is an error, and stays.
func RemoveKubeconfig(lab string) error {
	if err := CheckForeign(lab); err != nil {
		return err
	}
	return RemoveIfThere(filepath.Join(lab, RunKubeconfig))
}
