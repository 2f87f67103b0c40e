// Package bundle packs a checkout with all that it needs from a network into
// one archive, and sets a machine up from it: the workshop room without Wi-Fi.
//
// The archive is an ordinary .tar.gz that unpacks to a checkout. Beside the
// sources it holds dist/bundle/, with
//
//	servers/      the built control plane of one platform
//	SHA256SUMS    what these files must hash to
//	modules/      the part of the module cache that building and testing reads
//	platform      the operating system and architecture of servers/
//
// Modules need no sums of their own: the go command reads each .zip that has no
// .ziphash beside it and checks it against go.sum.
package bundle

import (
	"runtime"
)

// Folder is where an unpacked archive keeps what did not come from git, below
// the checkout's root.
const Folder = "dist/bundle"

// TopFolder is the one folder that the archive unpacks to.
const TopFolder = "controllers-from-scratch"

// Platform names the machine that built servers run on.
func Platform() string { return runtime.GOOS + "-" + runtime.GOARCH }
