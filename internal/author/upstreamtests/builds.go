package upstreamtests

import (
	"fmt"
	"slices"
	"strings"
)

// module is the module whose tests are run.
const module = "k8s.io/client-go"

// A build is a package that is made of one of upstream's: in it, some mechanisms are replaced.
type build struct {
	name       string // of its folder
	folder     string // upstream's, in client-go
	mechanisms []string
	shims      []string
	// borrow are upstream's types that are compiled anew although they reach nothing that is replaced: tests look into
	// them.
	borrow []string
	// alias are upstream's interfaces and types that stay its own although they mention what is replaced.
	alias []string
}

// path is the import path of the package that is made.
func (b build) path() string { return generated + "/" + b.name }

// generated is where the packages seem to be. No such folder is ever made: see compile.go.
const generated = "scripts/upstream-tests/generated"

var builds = []build{
	{
		// Upstream's controller and informer are compiled over the three parts below them.
		name: "parts", folder: "tools/cache", mechanisms: []string{"store", "fifo", "reflector", "pipeline"},
		shims: []string{"main.go.txt", "bubble.go.txt", "store.go.txt", "keyed.go.txt", "detector.go.txt",
			"fifo.go.txt", "reflector.go.txt", "rounds.go.txt", "delays.go.txt"},
		borrow: []string{"FIFO", "ExpirationCache", "TimestampedEntry", "MutationCache"},
	},
	{
		name: "informer", folder: "tools/cache", mechanisms: []string{"informer"},
		shims: []string{"main.go.txt", "bubble.go.txt", "store.go.txt", "keyed.go.txt", "detector.go.txt",
			"fifo.go.txt", "informer.go.txt"},
		borrow: []string{"FIFO"},
		alias: []string{"Reflector", "SharedInformer", "SharedIndexInformer", "WatchErrorHandler",
			"WatchErrorHandlerWithContext", "ShutDownEventHandler", "TypedSharedIndexInformer"},
	},
	{
		name: "workqueue", folder: "util/workqueue", mechanisms: []string{"workqueue"},
		shims: []string{"workqueue.go.txt"},
	},
}

// inside are the files that are added to the packages of mechanisms, by the shim that they are made of.
var inside = map[string]string{
	"inside_fifo.go.txt":      "chapters/06-delta-fifo/fifo/for_upstreams_tests.go",
	"inside_reflector.go.txt": "chapters/05-reflector/reflector/for_upstreams_tests.go",
	"inside_informer.go.txt":  "chapters/07-shared-informer/informer/for_upstreams_tests.go",
}

// others is the mechanism of the tests of what no chapter builds.
const others = "others"

// Mechanisms are those that tests run on, in the order of the chapters.
func Mechanisms() (all []string) {
	for _, b := range builds {
		all = append(all, b.mechanisms...)
	}
	return all
}

// buildOf gives the build of a mechanism; that of the others is the first, whose folder theirs is.
func buildOf(mechanism string) (build, error) {
	for _, b := range builds {
		if mechanism == others || slices.Contains(b.mechanisms, mechanism) {
			return b, nil
		}
	}
	return build{}, fmt.Errorf("there is no mechanism %s: there are %s", mechanism, strings.Join(Mechanisms(), ", "))
}

// folders are upstream's folders whose tests are listed.
func folders() (all []string) {
	for _, b := range builds {
		if !slices.Contains(all, b.folder) {
			all = append(all, b.folder)
		}
	}
	return all
}
