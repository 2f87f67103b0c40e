//go:build !unix

package controlplane

func terminalWidth(uintptr) (int, bool) { return 0, false }
