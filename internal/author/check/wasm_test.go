package check

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// What needs an operating system is found, and a package beside it that does not, or that is no mechanism, is not.
func TestWasm(t *testing.T) {
	const start = "-- go.mod --\nmodule " + repo.Module + "\n\ngo 1.26\n" +
		"-- internal/lab/lab.go --\npackage lab\n" +
		"-- chapters/04-a/good/doc.go --\npackage good\n\nimport _ \"net/http\"\n" +
		"-- chapters/04-a/demo/doc.go --\npackage demo\n\nimport (\n\t\"syscall\"\n\n\t_ \"" + repo.Module +
		"/internal/lab\"\n)\n\nvar _ = syscall.SIGWINCH\n-- chapters/09-a/late/doc.go --\npackage late\n\n" +
		"import \"syscall\"\n\nvar _ = syscall.SIGWINCH\n"
	expect(t, wasmCheck, start)
	expect(t, wasmCheck, start+"-- chapters/04-a/bad/doc.go --\npackage bad\n\nimport \"syscall\"\n\n"+
		"var _ = syscall.SIGWINCH\n",
		"chapters/04-a/bad/doc.go:5: undefined: syscall.SIGWINCH")
}
