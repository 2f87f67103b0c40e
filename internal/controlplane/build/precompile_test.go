//go:build unix

package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// tinyModule writes a module with a program and a test. Its sources hold the folder's name, so that no cache has them
// compiled.
func tinyModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/tiny\n\ngo 1.26.0\n", 0o644)
	write(t, filepath.Join(dir, "hello", "main.go"), "package main\n\nfunc main() { print(\""+dir+"\") }\n", 0o644)
	write(t, filepath.Join(dir, "lib", "lib.go"), "package lib\n\nconst Name = \""+dir+"\"\n", 0o644)
	write(t, filepath.Join(dir, "lib", "lib_test.go"),
		"package lib\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { t.Log(Name) }\n", 0o644)
	return dir
}

func TestProgramIsBuiltAgainWhenItsSourceChanges(t *testing.T) {
	dir := tinyModule(t)
	bin := filepath.Join(t.TempDir(), "bin")
	said := &journal{}
	program, err := buildProgram(t.Context(), said, dir, "./hello", bin)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); string(out) != dir || err != nil {
		t.Errorf("the program prints %q, %v", out, err)
	}
	if !strings.Contains(said.all(), "1 of 1 packages") {
		t.Errorf("the display did not show the one package of the program:\n%s", said.all())
	}
	before, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := buildProgram(t.Context(), term.Quiet(), dir, "./hello", bin); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(program)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the program was linked again though nothing had changed: %v", err)
	}

	write(t, filepath.Join(dir, "hello", "main.go"), "package main\n\nfunc main() { print(\"changed\") }\n", 0o644)
	if _, err := buildProgram(t.Context(), term.Quiet(), dir, "./hello", bin); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); string(out) != "changed" || err != nil {
		t.Errorf("the changed program prints %q, %v", out, err)
	}

	write(t, filepath.Join(dir, "hello", "main.go"), "package main\n\nfunc main() { undefined() }\n", 0o644)
	_, err = buildProgram(t.Context(), term.Quiet(), dir, "./hello", bin)
	if err == nil || !strings.Contains(err.Error(), "undefined: undefined") {
		t.Errorf("a program that does not compile: %v", err)
	}
}

func TestPrecompileLeavesNothingToCompile(t *testing.T) {
	dir := tinyModule(t)
	said := &journal{}
	if err := precompile(t.Context(), said, dir, false, []string{"./..."}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.all(), "example.com/tiny/lib") {
		t.Errorf("the display did not show the package:\n%s", said.all())
	}
	test := exec.Command("go", "test", "-x", "-vet=off", "-run", "^$", "./lib")
	test.Dir = dir
	out, err := test.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) { // but for the generated main, which differs under go test
		if strings.Contains(line, "/compile ") && !strings.Contains(line, "-p main ") {
			t.Errorf("go test still compiles after Precompile:\n%s", line)
		}
	}
}

func TestPrecompileLeavesErrorsToGoTest(t *testing.T) {
	dir := tinyModule(t)
	write(t, filepath.Join(dir, "lib", "lib.go"), "package lib\n\nconst Name = undefined\n", 0o644)
	if err := precompile(t.Context(), term.Quiet(), dir, false, []string{"./..."}); err != nil {
		t.Errorf("a package that does not compile: %v", err)
	}
}
