package testrun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// A Part of the project's tests.
type Part int

// The parts. Readers run what the chapters say. What holds the chapters up concerns who changes it: the control plane,
// the graders and their proof, what mine says of a reader's pieces, the commands, the checks. A chapter that is asked
// for by its number is run whole.
const (
	ForReaders Part = iota // the chapters' tests but for mine
	ForAuthors             // all others
	OnCluster              // all that talk to an API server, those for authors among them
)

// has says whether a package, by its path below the module, is of the part.
func (p Part) has(short string, imports []string) bool {
	switch p {
	case ForAuthors:
		return !forReader(short)
	case OnCluster:
		return slices.ContainsFunc(imports, talksToAServer)
	}
	return forReader(short)
}

// forReader says whether a package is a chapter's, and not its mine.
func forReader(short string) bool {
	folders := strings.Split(short, "/")
	return folders[0] == "chapters" && !slices.Contains(folders, "mine")
}

// Packages lists the packages of a part whose tests are the project's: those of the
// exercises are the learner's and are graded by make grade, and the solutions
// have none. An empty chapter means all; "01", or "1", means that chapter's alone.
func Packages(ctx context.Context, root, chapter string, part Part) ([]string, error) {
	// Not ./...: a teacher's submissions/ is in the clone, too, and files of two exercises in a folder are no package.
	patterns := []string{"./chapters/...", "./internal/...", "./scripts/..."}
	if chapter != "" {
		folder, err := folderOf(root, chapter)
		if err != nil {
			return nil, err
		}
		patterns = []string{"./chapters/" + folder + "/..."}
	}
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}{{end}}`
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f", format}, patterns...)...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w", strings.Join(patterns, " "), err)
	}
	var packages []string
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.Contains(fields[0], "/exercises/") ||
			strings.Contains(fields[0], "/solutions/") {
			continue
		}
		if whole := part == ForReaders && chapter != ""; !whole && !part.has(Short(fields[0]), fields[1:]) {
			continue
		}
		packages = append(packages, fields[0])
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("%s has no tests", strings.Join(patterns, " "))
	}
	slices.Reverse(packages)
	slices.SortStableFunc(packages, func(a, b string) int { return weight(a) - weight(b) })
	return packages, nil
}

// folderOf is a chapter's folder, by its number.
func folderOf(root, chapter string) (string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "chapters", "[0-9][0-9]-*"))
	if err != nil {
		return "", err
	}
	var numbers []string
	for _, folder := range folders {
		name := filepath.Base(folder)
		if number := name[:2]; number == fmt.Sprintf("%02s", chapter) {
			return name, nil
		}
		numbers = append(numbers, name[:2])
	}
	return "", fmt.Errorf("there is no chapter %q; there are %s to %s", chapter, numbers[0], numbers[len(numbers)-1])
}

// Programs are those that the tests of packages start: kubectl, which many do, and kube-controller-manager, if one
// of them makes sure by itself that a program is there. They are built before the tests, under a display, and not in
// the middle of one, which has minutes.
func Programs(ctx context.Context, root string, packages []string) ([]plane.Component, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f",
		`{{join .TestImports " "}} {{join .XTestImports " "}}`}, packages...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing what the tests import: %w", err)
	}
	if slices.Contains(strings.Fields(string(listed)), repo.Module+"/internal/controlplane/build") {
		return []plane.Component{plane.Kubectl, plane.KubeControllerManager}, nil
	}
	return []plane.Component{plane.Kubectl}, nil
}

func talksToAServer(imported string) bool {
	return strings.HasPrefix(imported, repo.Module+"/internal/testkit/cluster") ||
		strings.HasPrefix(imported, repo.Module+"/internal/testkit/kube")
}

// weight puts the packages that take longest first: go test starts them in the
// order given, and the last one to start decides when the run ends. Of the chapters
// these are the last ones.
func weight(pkg string) int {
	switch short := Short(pkg); {
	case short == "scripts/cluster", strings.HasPrefix(short, "internal/controlplane"):
		return 0
	case strings.HasPrefix(short, "internal/grading/grader"), strings.HasPrefix(short, "internal/grading/proof"):
		return 1
	case strings.HasPrefix(short, "chapters/"):
		return 2
	}
	return 3
}
