//go:build container

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// hostile is no solution of 01.1: it does what a container is there to bound, and says what it could do.
const hostile = `package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

type Event struct {
	Type   string          ` + "`json:\"type\"`" + `
	Object json.RawMessage ` + "`json:\"object\"`" + `
}

type StatusError struct {
	Code    int    ` + "`json:\"code\"`" + `
	Reason  string ` + "`json:\"reason\"`" + `
	Message string ` + "`json:\"message\"`" + `
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

type Decoder struct{}

func NewDecoder(r io.Reader) *Decoder { return &Decoder{} }

func (d *Decoder) Next() (Event, error) {
	daemon := exec.Command("sleep", "1000")
	daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	started := daemon.Start()
	var wrote []string
	tests, _ := filepath.Glob("/course/*/*/*/*/*_test.go")
	for _, name := range append(tests, "/submission/left") {
		if os.WriteFile(name, nil, 0o600) == nil {
			wrote = append(wrote, name)
		}
	}
	_, dialled := net.DialTimeout("udp", "192.0.2.1:53", time.Second)
	return Event{}, errors.New(fmt.Sprint("tests: ", len(tests) > 0, "; daemon: ", started, "; wrote: ", wrote, "; dialled: ", dialled))
}
`

// onlyFirst is where the tests do less than the document says: they fill the image's build cache for chapter 01, whose
// exercises they grade, and not for all chapters, which takes minutes.
var onlyFirst = [2]string{"-strict -from solutions\n", "-strict -from solutions 01\n"}

// TestContainerRecipe types what docs/courses.md says of containers. Where the image of golang can't be pulled, one
// made of this machine's own Go, compiler and modules stands in for it; the rest is the document's text.
func TestContainerRecipe(t *testing.T) {
	if out, err := exec.Command("docker", "info").CombinedOutput(); err != nil {
		t.Fatalf("no Docker engine answers: %v\n%s", err, out)
	}
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	blocks := recipe(t, root, "In a container", 3)
	course, tag := copyCourse(t, root), fmt.Sprintf("course-grader-test-%d", os.Getpid())
	base := baseImage(t, course, "golang:1.26", tag+"-base")
	types := func(block string) {
		t.Helper()
		block = strings.NewReplacer(onlyFirst[0], onlyFirst[1], "golang:1.26", base, "course-grader", tag,
			"/tmp/Dockerfile", filepath.Join(t.TempDir(), "Dockerfile")).Replace(block)
		shell(t, course, block)
	}
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", "-f", tag).Run() })
	types(blocks[0])
	submit(t, course)
	types(blocks[1])
	if r := readReport(t, filepath.Join(course, "anna.json")); r.Summary.Passed != 3 || !r.Race {
		t.Errorf("the reference solutions: %+v", r)
	}
	types(blocks[2])
	for name, passed := range map[string]int{"anna": 3, "ben": 0, "eve": 0} {
		r := readReport(t, filepath.Join(course, "reports", name+".json"))
		if r.Summary.Passed != passed || r.Summary.Errors > 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if name != "eve" {
			continue
		}
		said := r.Results[0].Failure.Text()
		if !strings.Contains(said, "tests: true; daemon: <nil>; wrote: []; dialled: dial udp") {
			t.Errorf("a hostile submission could do more, or less, than expected: %s", said)
		}
	}
	out, err := exec.Command("docker", "ps", "-aq", "--filter", "ancestor="+tag).Output()
	if err != nil || len(out) > 0 {
		t.Errorf("containers left: %s %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(course, "submissions", "eve", "left")); err == nil {
		t.Error("a submission was written to")
	}
}

// TestGradescopeRecipe types what docs/courses.md says of Gradescope, whose own base image is replaced as golang's is.
func TestGradescopeRecipe(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	blocks := recipe(t, root, "On Gradescope", 3)
	course, tag := copyCourse(t, root), fmt.Sprintf("course-gradescope-test-%d", os.Getpid())
	base := baseImage(t, course, "golang:1.26", tag+"-base")
	ours := strings.NewReplacer(onlyFirst[0], onlyFirst[1], "gradescope/autograder-base:ubuntu-22.04", base,
		"RUN apt-get update && apt-get install -y gcc libc6-dev\n", "", // the stand-in has them
		"COPY --from=golang:1.26 /usr/local/go /usr/local/go\n", "", " GOPATH=/grader/go", "",
		"/tmp/Dockerfile", filepath.Join(t.TempDir(), "Dockerfile"), "course-gradescope", tag,
		"anna-results.json", "$who-results.json", "submissions/anna", "submissions/$who")
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", "-f", tag+"-closed", tag).Run() })
	shell(t, course, ours.Replace(blocks[0]))
	submit(t, course)
	forger := strings.Replace(hostile, "/submission/left", "/autograder/results/results.json", 1)
	if err := os.WriteFile(filepath.Join(course, "submissions", "eve", "01.1.go"), []byte(forger), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"anna": "3 of 3 passed", "ben": "0 of 3 passed", "eve": "0 of 3 passed"} {
		shell(t, course, "who="+name+"\n"+ours.Replace(blocks[1]))
		text, err := os.ReadFile(filepath.Join(course, name+"-results.json"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if name == "eve" && !strings.Contains(string(text), "wrote: []; dialled") {
			t.Errorf("a hostile submission could do more, or less, than expected:\n%s", text)
		}
	}
	// The image without solutions.
	closed := filepath.Join(t.TempDir(), "closed")
	shell(t, course, "cp -r . "+closed+" && rm -r "+closed+"/submissions && go run ./scripts/reset -withhold "+closed)
	shell(t, closed, ours.Replace(blocks[2]))
	shell(t, course, "who=anna\n"+strings.Replace(ours.Replace(blocks[1]), " "+tag+" ", " "+tag+"-closed ", 1))
	text, err := os.ReadFile(filepath.Join(course, "anna-results.json"))
	if err != nil || !strings.Contains(string(text), "3 of 3 passed") {
		t.Errorf("without solutions: %v\n%s", err, text)
	}
	out, err := exec.Command("docker", "run", "--rm", tag+"-closed", "sh", "-c",
		"ls -d /course/solutions/*/*/wrong /course/solutions/*/*/alt; ls /course/go.mod").CombinedOutput()
	if err != nil || strings.Contains(string(out), "/wrong\n") || !strings.Contains(string(out), "/course/go.mod") {
		t.Errorf("solutions are in the image: %v\n%s", err, out)
	}
}

// recipe is the blocks of a section, such as: make the image, grade one, grade a class.
func recipe(t *testing.T, root, section string, n int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "courses.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ = strings.Cut(string(text), "\n### "+section+"\n")
	section, _, _ = strings.Cut(section, "\n### ")
	var blocks []string
	for i, part := range strings.Split(section, "\n```\n") {
		if i%2 == 1 {
			blocks = append(blocks, part)
		}
	}
	if len(blocks) != n || !strings.Contains(blocks[0], "\nFROM ") {
		t.Fatalf("the recipe has changed its form: %q", blocks)
	}
	return blocks
}

// copyCourse copies what a clone of the working tree would hold.
func copyCourse(t *testing.T, root string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "course")
	shell(t, root, `mkdir `+dir+` && git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t `+dir)
	return dir
}

// submit hands in the reference solutions, a wrong one, and a hostile one.
func submit(t *testing.T, course string) {
	t.Helper()
	shell(t, course, `mkdir -p submissions && cp -r solutions/01-raw-watch submissions/anna-all &&
		mkdir submissions/anna submissions/ben submissions/eve && mv submissions/anna-all submissions/anna/01-raw-watch`)
	for name, text := range map[string]string{
		"ben/01.1.go": "package decode\n\nfunc (\n",
		"eve/01.1.go": hostile,
	} {
		if err := os.WriteFile(filepath.Join(course, "submissions", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// baseImage is an image with Go, a C compiler and the course's modules: the published one, or one made here.
func baseImage(t *testing.T, course, published, tag string) string {
	t.Helper()
	if exec.Command("docker", "image", "inspect", published).Run() == nil ||
		exec.Command("docker", "pull", "-q", published).Run() == nil {
		return published
	}
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", "-f", tag).Run() })
	shell(t, course, `
files=$(mktemp -d)
here=$(go env GOMODCACHE)
modules=$files/go/pkg/mod
GOMODCACHE=$modules GOPROXY=file://$here/cache/download GOSUMDB=off GOFLAGS=-modcacherw \
  go list -deps -test ./scripts/grade ./chapters/*/exercises/* >/dev/null
mkdir -m 1777 "$files/tmp"
chmod 1777 "$files/go" "$files/go/pkg" && chmod -R a+rwX "$modules"
packages="gcc libc6-dev coreutils util-linux dash bash"
for round in 1 2 3 4 5 6; do
  packages=$(for p in $packages $(dpkg-query -W -f '${Depends},${Pre-Depends},' $packages 2>/dev/null | tr ',' '\n' |
    sed 's/|.*//; s/^ *//; s/[ (:].*//'); do echo "$p"; done | sort -u)
done
for p in $packages; do dpkg -L "$p" 2>/dev/null || true; done | sort -u | while read -r f; do
  if [ -f "$f" ] || [ -L "$f" ]; then echo "$(readlink -f "$(dirname "$f")")/$(basename "$f")"; fi
done | sort -u | grep -vE '^/usr/share/|^//' >"$files.list"
tar -C / --hard-dereference -cf "$files.tar" bin lib lib64 sbin --no-recursion -T "$files.list"
tar -C / -rf "$files.tar" "$(go env GOROOT | cut -c2-)"
tar -C "$files" -rf "$files.tar" --owner 0 --group 0 tmp go
docker import -c "ENV PATH=$(go env GOROOT)/bin:/usr/bin:/bin" -c 'ENV GOPATH=/go GOTOOLCHAIN=local GOPROXY=off' "$files.tar" `+tag+`
rm -rf "$files" "$files.list" "$files.tar"
`)
	return tag
}

// shell types commands as a person does.
func shell(t *testing.T, dir, commands string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -eo pipefail\n"+commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		// Exit status 1 of a class is a wrong solution's.
		t.Logf("%s\n%v\n%s", commands, err, out)
		if !strings.Contains(commands, "xargs -P") {
			t.FailNow()
		}
	}
}

func readReport(t *testing.T, path string) (r grader.Report) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, text)
	}
	return r
}
