package local

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The servers are told of the run directory in URLs and lists, which some characters would cut.
func TestARunDirectoryThatServersMisread(t *testing.T) {
	temp := planetest.Temporary(t)
	long := strings.Repeat("a", plane.MaxRunBase)
	for _, name := range []string{"a#b", "a?b", "a%41", "a,b", "a:b", "a\nb", "a\x1bb", "a\xffb", long} {
		t.Setenv("TMPDIR", filepath.Join(temp, name))
		base, err := plane.BasePath()
		require.NoError(t, err)
		assert.Equal(t, plane.FallbackBase(), base, "%q", name)
	}
	for _, name := range []string{"a b", "a'b", "ü", "a@b"} {
		t.Setenv("TMPDIR", filepath.Join(temp, name))
		base, err := plane.BasePath()
		require.NoError(t, err)
		assert.Equal(t, filepath.Join(temp, name, plane.BaseName()), base)
	}
}

// What make up prints would be of no use, and status and kubectl would refuse what make up started.
func TestUpRefusesAStateFolderThatKUBECONFIGCannotName(t *testing.T) {
	newBase(t)
	for _, name := range []string{"co:lon", "es\x1bcape"} {
		t.Setenv(plane.StateEnv, filepath.Join(planetest.Temporary(t), name))
		_, _, err := Up(t.Context(), UpOptions{})
		require.ErrorContains(t, err, "move the clone to a path without it, or set SCRATCH_STATE")
		assert.NotContains(t, err.Error(), "\x1b")
		_, err = Down(t.Context(), nil)
		assert.NoError(t, err)
	}
}

func TestAStateFolderThatIsNone(t *testing.T) {
	dir := t.TempDir()
	file, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "dangling")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink(filepath.Join(dir, "nothing"), dangling))
	for _, lab := range []string{file, dangling} {
		t.Setenv(plane.StateEnv, lab)
		want := "make " + lab + " a folder that you can write into, or set SCRATCH_STATE to one"
		_, _, err := Up(t.Context(), UpOptions{})
		assert.ErrorContains(t, err, want)
		_, err = Down(t.Context(), nil)
		assert.ErrorContains(t, err, want)
	}
	t.Setenv(plane.StateEnv, file)
	_, err := Status(t.Context())
	assert.ErrorContains(t, err, "or set SCRATCH_STATE to one")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, cancelled.Err(), adviseState(file, cancelled.Err()), "Ctrl-C is no fault of the folder")
}

// Somebody has stopped a server's leash, say, so that the supervisor waits for it.
func TestAControlPlaneThatDoesNotStop(t *testing.T) {
	s := newStage(t)
	s.listen(t, filepath.Join(s.run, plane.RunControl), func(conn net.Conn) { io.Copy(io.Discard, conn) })
	err := stopWithin(t.Context(), &s.plane, time.Millisecond)
	require.ErrorContains(t, err, "has not stopped within 1ms. What is left of it: its run directory "+s.run)
	assert.ErrorContains(t, err, "A second `make down` ends it")
}

// due is a context whose deadline has passed, and which has not noticed it yet.
type due struct{ context.Context }

func (due) Deadline() (time.Time, bool) { return time.Now().Add(-time.Second), true }

// A connection may notice the deadline before the context does. It has passed all the same, and nobody has said that
// there is no supervisor.
func TestADeadlineThatTheConnectionNoticesFirst(t *testing.T) {
	s := newStage(t)
	s.listen(t, filepath.Join(s.run, plane.RunControl), func(conn net.Conn) { io.Copy(io.Discard, conn) })
	_, err := plane.Ask(due{t.Context()}, s.plane.Dir, plane.Request{Op: plane.OpStop})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, plane.ErrNoSupervisor)
	require.ErrorIs(t, plane.Lost(due{t.Context()}, io.EOF), context.DeadlineExceeded)
}

// No line of what a supervisor says looks like one of the command's own.
func TestTheLinesOfAnErrorAreIndented(t *testing.T) {
	said, err := json.Marshal(plane.Reply{Error: "no\r\nThe control plane has started\nnow"})
	require.NoError(t, err)
	_, err = plane.ReadReply(t.Context(), json.NewDecoder(strings.NewReader(string(said))))
	assert.EqualError(t, err, "no \n    The control plane has started\n    now")
}
