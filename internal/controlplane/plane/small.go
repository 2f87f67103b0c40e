package plane

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxSmall is how long a file of the state directory may be. Ours have some kilobytes.
const maxSmall = 1 << 20

// errOdd says that a file is not one that this repository writes.
var errOdd = errors.New("it is no ordinary file of at most a megabyte")

// errNotOurs says that another user has put a file there.
var errNotOurs = errors.New("it belongs to another user")

// ReadSmall reads a file of the state directory. A link there, a pipe, which would never end, or a device is not read,
// also when it takes the file's place while we look: what was opened is asked what it is.
func ReadSmall(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // to open a device can change it
		return nil, errOdd
	}
	return readOpened(path)
}

// readOpened is ReadSmall for what may have taken the place of an ordinary file a moment ago.
func readOpened(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	switch {
	case errors.Is(err, errLink):
		return nil, errOdd
	case err != nil:
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxSmall:
		return nil, errOdd
	case !OwnedByUs(info):
		return nil, errNotOurs
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSmall+1))
	if len(data) > maxSmall {
		return nil, errOdd
	}
	return data, err
}

// OpenFolder opens a folder, and nothing else of its name.
func OpenFolder(path string) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}
