//go:build unix

package main

import "syscall"

// freeSpace says how many bytes this user can still write at path, or where path is going to be.
func freeSpace(path string) (bytes uint64, err error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(nearest(path), &fs); err != nil {
		return 0, err
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), nil
}
