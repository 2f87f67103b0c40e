package deletion

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Archive is a folder for logs that outlive their objects. It is made when it is needed.
type Archive string

// Path is where the log of an object is kept: by its UID, since another object of the name has another log, and a name
// may be too long for a file.
func (a Archive) Path(o client.Object) string {
	return filepath.Join(string(a), string(o.GetUID())+".log")
}

// Keep keeps a log. One that was kept before stays as it is. The file is there whole or not at all.
func (a Archive) Keep(o client.Object, log string) error {
	path := a.Path(o)
	if filepath.Dir(path) != filepath.Clean(string(a)) {
		return fmt.Errorf("the UID %q can't be in a file's name", o.GetUID())
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(string(a), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path+".tmp", []byte(log), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}
