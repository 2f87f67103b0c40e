package check

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

const commandsTree = `-- Makefile --
.PHONY: grade
grade:
	@go run ./scripts/grade $(CH)
-- scripts/grade/main.go --
package main

import (
	"flag"

	"` + repo.Module + `/internal/x"
)

var watch = flag.Bool("watch", false, "")

func main() { x.Run("list") }
-- internal/x/x.go --
package x

import ("flag"; "os")

func Run(string) { flag.CommandLine.StringVar(nil, "json", "", ""); os.Getenv("CLUSTER") }
-- scripts/kubectl/main.go --
package main

import (
	"os"
	"os/exec"
)

func main() { run(os.Args[1:]) }

func run(args []string) { exec.Command("kubectl", args...).Run() }
-- chapters/01-a/main.go --
package main

func main() {}
-- chapters/01-a/claims/paging_test.go --
package claims

func TestAPageAtATime(t *testing.T) {}
`

func TestCommands(t *testing.T) {
	expect(t, commandsCheck, commandsTree+`-- README.md --
§make grade CH=05§ and §go run ./scripts/grade -watch -json x.json list§, §CLUSTER=kind make grade§, §go run ./chapters/NN-name§,
§make grade CH="05; 06 and all" && go run ./scripts/grade -json 'a; make b'§,
§go test ./chapters/01-a/...§, §go test ./chapters/01-a -run TestX -v§, §go test ./chapters/01-a -run 'Y|Z'§,
§go test -v -run APage/first ./chapters/01-a/...§, §go test ./chapters/01-a/claims -run TestAPageAtATime§, §make§, §go run ./scripts/kubectl get cm -w§.

'''sh
$ make grade   # a comment with make nothing
cd x && go run ./scripts/grade -watch \
  -json x
kubectl get pods -nonsense
'''
`)
	expect(t, commandsCheck, commandsTree+`-- README.md --
§make grad§
§make grade NOPE=1§
§go run ./scripts/gone§
§go run ./scripts/grade -nope§
§go run ./scripts/grade sing§
§go test ./chapters/01-a -run TestAPageAtATime§
§go test -run TestNone ./chapters/01-a/...§

'''sh
go run ./chapters/01-a -wire
'''

<!-- recorded: go run ./chapters/02-b -->
'''text
'''
`,
		"README.md:1: `make grad`: make has no target grad", "README.md:2: `make grade NOPE=1`: no target reads NOPE",
		"README.md:3: `go run ./scripts/gone`: there is no scripts/gone",
		"README.md:4: `go run ./scripts/grade -nope`: scripts/grade has no flag -nope",
		"README.md:5: `go run ./scripts/grade sing`: scripts/grade has no command sing",
		"README.md:6: `go test ./chapters/01-a -run TestAPageAtATime`: chapters/01-a has no test TestAPageAtATime",
		"README.md:7: `go test -run TestNone ./chapters/01-a/...`: chapters/01-a has no test TestNone",
		"chapters/01-a has no flag -wire", "there is no chapters/02-b")
}
