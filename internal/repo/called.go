package repo

import "os"

// ByMake reports whether make has called this program, which then speaks of make's targets and variables.
func ByMake() bool { return os.Getenv("MAKELEVEL") != "" }
