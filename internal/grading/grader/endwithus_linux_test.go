package grader

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestEndsWithTheGrader: what a grader runs does not outlive one that is killed.
func TestEndsWithTheGrader(t *testing.T) {
	t.Parallel()
	if os.Getenv("GRADES") != "" {
		cmd := exec.Command("sh", "-c", "echo up; exec sleep 1000")
		cmd.Stdout = os.Stdout
		_, _ = runGroup(context.Background(), cmd, bound{wall: time.Hour, memory: 1 << 40})
		return
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	grades := exec.Command(os.Args[0], "-test.run=^TestEndsWithTheGrader$")
	grades.Env = append(os.Environ(), "GRADES=1")
	grades.Stdout = to
	if err := grades.Start(); err != nil {
		t.Fatal(err)
	}
	to.Close()
	_ = from.SetReadDeadline(time.Now().Add(time.Minute))
	lines := bufio.NewReader(from)
	if line, err := lines.ReadString('\n'); line != "up\n" {
		t.Errorf("%q, %v", line, err)
	}
	_ = grades.Process.Kill()
	_ = grades.Wait()
	if line, err := lines.ReadString('\n'); line != "" || err == nil || os.IsTimeout(err) {
		t.Errorf("sleep is still there: %q, %v", line, err) // it holds the pipe
	}
}

// TestSystemLimitsTheCompiler: what the go command starts is bound also when nobody looks.
func TestSystemLimitsTheCompiler(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	cmd := exec.Command("sh", "-c", `until [ "$(ulimit -t)" = 40 ]; do :; done; sh -c 'ulimit -t'`)
	cmd.Stdout = &out
	b := bound{wall: time.Minute, cpu: 30 * time.Second, memory: 1 << 40}
	if passed, err := runGroup(t.Context(), cmd, b); passed != within || err != nil || out.String() != "40\n" {
		t.Errorf("%q, %v, %q", passed, err, out.String())
	}
}
