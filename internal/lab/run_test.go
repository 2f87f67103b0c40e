package lab

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// api is the little of an API server that a run needs: a version, and namespaces that are made and deleted.
type api struct {
	*httptest.Server
	hanging  chan struct{} // closed when somebody waits at /hang
	mu       sync.Mutex
	requests []string
}

func newAPI(t *testing.T) *api {
	a := &api{hanging: make(chan struct{})}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.requests = append(a.requests, r.Method+" "+r.URL.Path)
		a.mu.Unlock()
		if r.URL.Path == "/hang" {
			w.(http.Flusher).Flush()
			close(a.hanging)
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `{"gitVersion":"v1.37.1"}`)
	}))
	a.EnableHTTP2 = true
	a.StartTLS()
	t.Cleanup(a.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw})
	useKubeconfig(t, a.URL, fmt.Sprintf("certificate-authority-data: %q", ca))
	return a
}

// useKubeconfig makes the environment choose a server.
func useKubeconfig(t *testing.T, server, cluster string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	dir := filepath.Dir(path)
	if _, pemText, ok := strings.Cut(cluster, "certificate-authority-data: "); ok {
		var ca string
		_, err := fmt.Sscanf(pemText, "%q", &ca)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.crt"), []byte(ca), 0o600))
		cluster = "certificate-authority: ca.crt"
	}
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `current-context: x
contexts: [{name: x, context: {cluster: c, user: ""}}]
clusters: [{name: c, cluster: {server: "%s", %s}}]`, server, cluster), 0o600))
	t.Setenv("CLUSTER", "kubeconfig")
	t.Setenv("KUBECONFIG", path)
}

// left returns the namespaces that were made and not deleted.
func (a *api) left() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, r := range a.requests {
		switch {
		case strings.HasPrefix(r, "POST /api/v1/namespaces"):
			n++
		case strings.HasPrefix(r, "DELETE /api/v1/namespaces/scratch-99-"):
			n--
		}
	}
	return n
}

// run plays one step.
func run(t *testing.T, step func(ctx context.Context, l *Lab) error, args ...string) (code int, out string) {
	t.Helper()
	var b bytes.Buffer
	d := Demo{Chapter: "99-test", Title: "a test", Steps: []Step{{Title: "Do", Why: "Because.", Run: step}}}
	code = Run(t.Context(), d, args, strings.NewReader(""), &b)
	return code, b.String()
}

// hang is a step that waits for a server which sends nothing.
func hang(ctx context.Context, l *Lab) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.Server.String()+"/hang", nil)
	if err != nil {
		return err
	}
	resp, err := l.HTTPClient().Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = resp.Body.Read(make([]byte, 1))
	return err
}

func TestExitCodesAndTheNamespace(t *testing.T) {
	a := newAPI(t)
	code, out := run(t, func(_ context.Context, l *Lab) error { l.Conclude("in %s", l.Namespace); return nil })
	require.Equal(t, 0, code, out)
	require.Contains(t, out, "= in scratch-99-")
	require.Contains(t, out, "is deleted.")
	code, out = run(t, func(context.Context, *Lab) error { return errors.New("the kettle is empty") })
	require.Equal(t, 1, code)
	require.Contains(t, out, "! at 1/1 (Do): the kettle is empty")
	require.Zero(t, a.left())
}

func TestCtrlC(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
	}{"in a step": {nil, 130}, "in the interactive part": {[]string{"-interactive"}, 0}} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t)
			press := func() { require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT)) }
			start := time.Now()
			code, out := run(t, func(ctx context.Context, l *Lab) error {
				if c.code == 0 {
					time.AfterFunc(50*time.Millisecond, press) // by then the interactive part waits, or will see it
					return nil
				}
				press()
				return hang(ctx, l)
			}, c.args...)
			require.Equal(t, c.code, code, out)
			require.Zero(t, a.left(), "the namespace is deleted")
			require.Less(t, time.Since(start), 5*time.Second)
		})
	}
}

func TestAServerThatGoesAway(t *testing.T) {
	a := newAPI(t)
	start := time.Now()
	code, out := run(t, func(ctx context.Context, l *Lab) error {
		go func() {
			<-a.hanging // before that, the request would find another connection
			a.CloseClientConnections()
		}()
		return hang(ctx, l)
	})
	require.Equal(t, 1, code)
	require.Contains(t, out, "the API server went away")
	require.Less(t, time.Since(start), 10*time.Second)
}

func TestAClosedPipeEndsTheRun(t *testing.T) {
	a := newAPI(t)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	d := Demo{Chapter: "99-test", Steps: []Step{{Title: "Do", Why: "Because.",
		Run: func(ctx context.Context, l *Lab) error {
			r.Close() // as head does
			l.Say("lost")
			<-ctx.Done()
			return ctx.Err()
		}}}}
	require.Equal(t, 1, Run(t.Context(), d, nil, strings.NewReader(""), w))
	require.Zero(t, a.left())
}

// What is wrong stands below the usage, where a short terminal still shows it.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-no-such-flag"}, {"argument"}, {"-help"}} {
		code, out := run(t, nil, args...)
		help := args[0] == "-help"
		require.Equal(t, map[bool]int{true: 0, false: 2}[help], code)
		require.True(t, strings.HasPrefix(out, "usage: go run ./chapters/99-test"), out)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		require.Equal(t, !help, strings.HasPrefix(lines[len(lines)-1], "! "), out)
		require.Contains(t, out, "-interactive")
		require.LessOrEqual(t, strings.Count(out, "\n"), 8, out)
	}
}

func TestARemoteServerIsRefused(t *testing.T) {
	useKubeconfig(t, "https://cluster.example.com:6443", "insecure-skip-tls-verify: true")
	code, out := run(t, nil)
	require.Equal(t, 1, code)
	joined := strings.ReplaceAll(out, "\n! ", " ")
	require.Contains(t, joined, "https://cluster.example.com:6443, which is not on this machine: nothing was sent to it")
	require.Contains(t, joined, "ALLOW_REMOTE=1")

	t.Setenv("ALLOW_REMOTE", "1")
	useKubeconfig(t, "https://remote.invalid:6443", "insecure-skip-tls-verify: true")
	_, out = run(t, nil)
	require.NotContains(t, out, "ALLOW_REMOTE", "it was tried")

	t.Setenv("CLUSTER", "minikube")
	code, out = run(t, nil)
	require.Equal(t, 1, code)
	require.Contains(t, out, "CLUSTER=minikube is none of local, kind, kubeconfig, book: set it to one of them")
}

// A program that stays ends well with Ctrl-C, and with what f says otherwise.
func TestHold(t *testing.T) {
	newAPI(t)
	var out bytes.Buffer
	require.NoError(t, Hold(t.Context(), Options{}, &out, func(ctx context.Context, l *Lab) error {
		l.Say("%s", l.Describe())
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}))
	require.Contains(t, out.String(), "kube-apiserver")
	broken := errors.New("broken")
	require.ErrorIs(t, Hold(t.Context(), Options{}, &out, func(context.Context, *Lab) error { return broken }), broken)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	err := Hold(ctx, Options{}, &out, func(context.Context, *Lab) error { return broken })
	require.True(t, Interrupted(err), "%v", err)
}
