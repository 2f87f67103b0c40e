package lab

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// fresh is a world in which no server is built, and what a run did in it. Each of its servers is the one that newAPI
// made.
type fresh struct {
	world
	did []string
}

func newFresh(t *testing.T) *fresh {
	newAPI(t)
	f := &fresh{}
	connect := func(which string) func(context.Context, Options) (*Cluster, error) {
		return func(ctx context.Context, o Options) (*Cluster, error) {
			f.did = append(f.did, which)
			return Connect(ctx, o)
		}
	}
	f.world = world{
		nothingYet: func(context.Context) (bool, error) { return true, nil },
		connect:    connect("real"), book: connect("book"),
		build: func(context.Context, io.Writer) error { f.did = append(f.did, "build"); return nil },
	}
	return f
}

// play plays a demo that plays on the book's server.
func (f *fresh) play(t *testing.T, d Demo, args ...string) (code int, out string) {
	t.Helper()
	var b bytes.Buffer
	code = runIn(t.Context(), f.world, d, args, strings.NewReader(""), &b)
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), width, line)
	}
	return code, b.String()
}

func onBook() Demo {
	d := threeSteps()
	d.PlaysOnBook = true
	d.Interactive = func(context.Context, *Lab) error { return nil }
	return d
}

// A first run plays on the book's own server, says so before it does, and builds the real ones for the next.
func TestTheFirstRunPlaysOnTheBooksServer(t *testing.T) {
	f := newFresh(t)
	code, out := f.play(t, onBook())
	require.Zero(t, code, out)
	require.Equal(t, []string{"book", "build"}, f.did)
	squeezed := strings.Join(strings.Fields(out), " ")
	last := -1
	for _, text := range []string{
		"kube-apiserver and etcd are not built on this machine yet.", "the one that you build in chapter 03.",
		"Namespace scratch-99-", "three, says nobody", "is deleted.", "Now kube-apiserver and etcd are built",
		"Ctrl-C stops that", "go run ./chapters/99-test plays on kube-apiserver from now on.",
	} {
		at := strings.Index(squeezed, text)
		require.Greater(t, at, last, "%s\n%s", text, out)
		last = at
	}
}

func TestOnWhichServerARunPlaysFirst(t *testing.T) {
	realOnes := []string{"real"}
	onReal := onBook()
	onReal.PlaysOnBook = false
	there := func(nothing bool, err error) func(context.Context) (bool, error) {
		return func(context.Context) (bool, error) { return nothing, err }
	}
	for name, c := range map[string]struct {
		demo       Demo
		args       []string
		nothingYet func(context.Context) (bool, error)
		want       []string
	}{
		"a failure on a fresh machine": {onBook(), []string{"-fault", "late"}, there(true, nil),
			[]string{"book", "build"}},
		"the servers are there":     {onBook(), nil, there(false, nil), realOnes},
		"a room":                    {onBook(), []string{"-step"}, there(true, nil), realOnes},
		"kubectl":                   {onBook(), []string{"-interactive"}, there(true, nil), realOnes},
		"a chapter that needs more": {onReal, nil, there(true, nil), realOnes},
		"who knows":                 {onBook(), nil, there(true, errors.New("no home")), realOnes},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFresh(t)
			f.nothingYet = c.nothingYet
			code, out := f.play(t, c.demo, c.args...)
			require.Zero(t, code, out)
			require.Equal(t, c.want, f.did)
			require.Equal(t, len(c.want) > 1, strings.Contains(out, "are not built on this machine yet"), out)
		})
	}
}

// A demo that fails on the book's server fails: the reader is not left with a build.
func TestAFirstRunThatFails(t *testing.T) {
	f := newFresh(t)
	d := onBook()
	d.Steps[1].Run = func(context.Context, *Lab) error { return errors.New("the kettle is empty") }
	code, out := f.play(t, d)
	require.Equal(t, 1, code)
	require.Equal(t, []string{"book"}, f.did)
	require.Contains(t, out, "the kettle is empty")

	f = newFresh(t)
	f.build = func(context.Context, io.Writer) error { return errors.New("the disk is full") }
	code, out = f.play(t, onBook())
	require.Equal(t, 1, code)
	require.Contains(t, out, "! the disk is full")
	require.NotContains(t, out, "from now on")
}

// Ctrl-C in the demo cleans up and builds nothing. In the build it says what it costs.
func TestCtrlCInAFirstRun(t *testing.T) {
	press := func() { require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT)) }
	f := newFresh(t)
	d := onBook()
	d.Steps[1].Run = func(ctx context.Context, _ *Lab) error { press(); <-ctx.Done(); return ctx.Err() }
	code, out := f.play(t, d)
	require.Equal(t, exitInterrupted, code, out)
	require.Equal(t, []string{"book"}, f.did)
	require.Contains(t, out, "Interrupted; the run has cleaned up after itself.\n")

	f = newFresh(t)
	f.build = func(ctx context.Context, _ io.Writer) error { press(); <-ctx.Done(); return ctx.Err() }
	code, out = f.play(t, onBook())
	require.Equal(t, exitInterrupted, code, out)
	require.Contains(t, out, "\nInterrupted; what is compiled is kept, and the next run goes on from there.\n")
}

// Nothing but a machine without servers, on which nobody has named one, is a fresh one.
func TestNothingYet(t *testing.T) {
	executable := func(t *testing.T, path string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o755))
	}
	binaries := func(t *testing.T, names ...plane.Component) {
		dir, err := build.BinDir()
		require.NoError(t, err)
		for _, name := range names {
			executable(t, filepath.Join(dir, string(name)))
		}
	}
	for name, c := range map[string]struct {
		have func(t *testing.T)
		want bool
	}{
		"nothing":          {func(*testing.T) {}, true},
		"etcd alone":       {func(t *testing.T) { binaries(t, plane.Etcd) }, true},
		"both servers":     {func(t *testing.T) { binaries(t, plane.Etcd, plane.KubeAPIServer) }, false},
		"CLUSTER=local":    {func(t *testing.T) { t.Setenv("CLUSTER", "local") }, false},
		"CLUSTER=kind":     {func(t *testing.T) { t.Setenv("CLUSTER", "kind") }, false},
		"CLUSTER=no-name":  {func(t *testing.T) { t.Setenv("CLUSTER", "no-name") }, false},
		"a shared cluster": {func(t *testing.T) { t.Setenv(local.SharedEnv, "/somewhere/kubeconfig") }, false},
		"servers from elsewhere": {func(t *testing.T) {
			dir := t.TempDir()
			executable(t, filepath.Join(dir, "etcd"))
			executable(t, filepath.Join(dir, "kube-apiserver"))
			t.Setenv("KUBEBUILDER_ASSETS", dir)
		}, false},
		"make up, in whatever state": {func(t *testing.T) {
			state := t.TempDir()
			t.Setenv(plane.StateEnv, state)
			require.NoError(t, os.WriteFile(filepath.Join(state, plane.File), []byte("{}"), 0o600))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, variable := range []string{"CLUSTER", local.SharedEnv, "KUBEBUILDER_ASSETS"} {
				t.Setenv(variable, "")
			}
			t.Setenv("HOME", t.TempDir())
			t.Setenv("XDG_CACHE_HOME", filepath.Join(os.Getenv("HOME"), ".cache"))
			t.Setenv(plane.StateEnv, filepath.Join(t.TempDir(), "none"))
			c.have(t)
			got, err := nothingYet(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// What CLUSTER=book cannot play, it says before anything is started, with what to do.
func TestWhatTheBooksServerCannotPlay(t *testing.T) {
	mine, more := onBook(), onBook()
	mine.Chapter, more.PlaysOnBook = "99-test/mine", false
	for name, c := range map[string]struct {
		demo Demo
		args []string
		why  string
	}{
		"mine":    {mine, nil, "CLUSTER=book plays demos, and what you have written runs on the real API server"},
		"more":    {more, nil, "the demo of 99-test does not play on it"},
		"kubectl": {onBook(), []string{"-interactive"}, "CLUSTER=book has no -interactive"},
	} {
		f := newFresh(t)
		t.Setenv("CLUSTER", "book")
		code, out := f.play(t, c.demo, c.args...)
		require.Equal(t, 1, code, name)
		joined := strings.ReplaceAll(out, "\n! ", " ")
		require.Contains(t, joined, c.why, name)
		require.Contains(t, joined, "unset CLUSTER to play it on kube-apiserver", name)
		require.Empty(t, f.did, name)
	}
	_, err := Connect(t.Context(), Options{Controllers: true})
	require.ErrorContains(t, err, "CLUSTER=book")
	require.ErrorContains(t, err, "kube-controller-manager")
}

// Who asks for the book's server by name gets it, also for a room, and nothing is built.
func TestTheBooksServerByName(t *testing.T) {
	f := newFresh(t)
	t.Setenv("CLUSTER", "book")
	f.nothingYet = nothingYet
	f.connect = func(ctx context.Context, o Options) (*Cluster, error) {
		p, err := providerFromEnv()
		require.NoError(t, err)
		f.did = append(f.did, string(p))
		return connectTo(ctx, Kubeconfig, o)
	}
	code, out := f.play(t, onBook(), "-step")
	require.Zero(t, code, out)
	require.Equal(t, []string{"book"}, f.did)
}

func TestTheBooksServerIsNamed(t *testing.T) {
	newAPI(t)
	c, err := Connect(t.Context(), Options{})
	require.NoError(t, err)
	defer c.Close()
	c.Provider = Book
	require.Contains(t, c.Describe(), "The book's own API server, of chapter 03, https://127.0.0.1:")
}
