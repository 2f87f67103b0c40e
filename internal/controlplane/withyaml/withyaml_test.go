package withyaml

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// without are the programs that have to do with the servers' binaries or with the root of the repository, and never
// with a control plane.
var without = []string{
	"bench", "bookserver", "bundle", "check", "grade", "hint", "kind", "new-chapter", "pins", "record", "reset",
	"symptom", "test-kind", "verify-exercises", "wrong",
}

// A program that uses a control plane and lacks this package would refuse each kubeconfig.
func TestProgramsHaveIt(t *testing.T) {
	const module = "github.com/controllers-from-scratch/controllers-from-scratch/"
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f",
		`{{if eq .Name "main"}}{{.ImportPath}}: {{join .Deps " "}}{{end}}`, "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	programs := 0
	for line := range strings.Lines(string(out)) {
		program, deps, _ := strings.Cut(strings.TrimSpace(line), ": ")
		imports := strings.Fields(deps)
		if !slices.Contains(imports, module+"internal/controlplane/plane") {
			continue
		}
		programs++
		name := strings.TrimPrefix(program, module+"scripts/")
		if has := slices.Contains(imports, module+"internal/controlplane/withyaml"); has == slices.Contains(without,
			name) {
			t.Errorf("%s imports withyaml: %v. What uses a control plane needs it, what does not goes without",
				program, has)
		}
	}
	if programs < len(without) {
		t.Errorf("only %d programs import internal/controlplane/plane: this test looks at the wrong ones", programs)
	}
}
