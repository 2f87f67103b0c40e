package demotest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// Typed is a command that an interactive part has its reader type, and what is to be seen afterwards.
type Typed struct {
	// Command is a part of the command: "create cm fig".
	Command string
	// Shows are texts that one of the two terminals shows then, with blanks and line breaks squeezed. What was there
	// before the command does not count.
	Shows []string
	// Stays says that the command goes on until the demo ends, as one with -w does.
	Stays bool
	// Fails says that the command is one which the server refuses.
	Fails bool
}

// Interactive runs a demo's interactive part without its steps, types each command that it has its reader type, in the
// shell of another terminal, and ends it with Ctrl-C. The part has to name these commands and no others. The first is
// typed when the part has shown what says that it is ready; empty means that it need not be.
func Interactive(t *testing.T, d lab.Demo, ready string, typed ...Typed) {
	t.Helper()
	cluster.Shared(t)
	kubectl, err := lab.FindKubectl(t.Context(), t.Output())
	require.NoError(t, err)
	t.Setenv("PATH", filepath.Dir(kubectl)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	defer cancel()
	d.Steps = nil
	terminal, code := &screen{}, make(chan int, 1)
	go func() { code <- lab.Run(ctx, d, []string{"-interactive"}, strings.NewReader(""), terminal) }()
	ended := false
	defer func() {
		if !ended { // a failure: the run would go on beside the next test
			cancel()
			<-code
		}
	}()
	printed := terminal.commands(ctx, t, 1+len(typed))
	require.Contains(t, printed[0], "alias ")
	terminal.shows(ctx, t, 0, ready)
	for i, command := range typed {
		require.Contains(t, printed[1+i], command.Command)
		terminal.typed(ctx, t, printed[0], printed[1+i], command)
	}
	require.Len(t, terminal.commands(ctx, t, 0), 1+len(typed), "what the part says is typed here:\n%s", terminal)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	ended = true
	require.Equal(t, 0, <-code, terminal)
	t.Log(terminal)
	Has(t, terminal.String(), "Your turn; Ctrl-C ends it", "is deleted.")
}

// screen is what both terminals show.
type screen struct {
	mu   sync.Mutex // guards what follows
	text bytes.Buffer
	more chan struct{} // closed at the next Write; nil if nobody waits
}

// Write implements [io.Writer].
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.more != nil {
		close(s.more)
		s.more = nil
	}
	return s.text.Write(p)
}

// String is all that was written.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until what was written is so.
func (s *screen) await(ctx context.Context, t *testing.T, what string, so func(text string) bool) {
	t.Helper()
	for {
		s.mu.Lock()
		if s.more == nil {
			s.more = make(chan struct{})
		}
		more, text := s.more, s.text.String()
		s.mu.Unlock()
		if so(text) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			require.FailNow(t, "nobody has seen "+what, "%v, in:\n%s", context.Cause(ctx), text)
		}
	}
}

// commands waits for n commands, and returns all that there are.
func (s *screen) commands(ctx context.Context, t *testing.T, n int) (all []string) {
	t.Helper()
	s.await(ctx, t, "the commands", func(text string) bool {
		all = nil
		for line := range strings.Lines(text) {
			if command, ok := strings.CutPrefix(line, "   $ "); ok && strings.HasSuffix(line, "\n") {
				all = append(all, strings.TrimSpace(command))
			}
		}
		return len(all) >= n
	})
	return all
}

// typed runs a command as a shell does, and waits for what is to be seen.
func (s *screen) typed(ctx context.Context, t *testing.T, alias, command string, typed Typed) {
	t.Helper()
	root, err := repo.Root()
	require.NoError(t, err)
	shell := exec.CommandContext(ctx, "sh")
	shell.Dir = root
	shell.Stdin = strings.NewReader(alias + "\n" + command + "\n")
	shell.Stdout, shell.Stderr = s, s
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that the end of a shell is that of what it has started
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	shell.WaitDelay = time.Second
	before := len(s.String())
	require.NoError(t, shell.Start())
	if typed.Stays {
		t.Cleanup(func() { _, _ = shell.Cancel(), shell.Wait() })
	} else {
		err := shell.Wait()
		require.Equal(t, typed.Fails, err != nil, "%s: %v\n%s", command, err, s)
	}
	for _, text := range typed.Shows {
		s.shows(ctx, t, before, text)
	}
}

// shows waits for a text behind the first bytes.
func (s *screen) shows(ctx context.Context, t *testing.T, behind int, text string) {
	t.Helper()
	s.await(ctx, t, text, func(all string) bool {
		return strings.Contains(strings.Join(strings.Fields(all[behind:]), " "), text)
	})
}
