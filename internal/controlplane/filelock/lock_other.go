//go:build !unix

package filelock

import (
	"errors"
	"os"
)

const noFollow, noWait = 0, 0

func lock(*os.File) error {
	return errors.New("file locks need Linux or macOS; on Windows, work inside WSL2")
}

func unlock(*os.File) error { return nil }

func heldByOther(*os.File) bool { return false }
