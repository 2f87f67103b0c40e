package claims

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// lifeEnv is the environment variable that has this test binary be a controller, in a process of its own.
const lifeEnv = "SCRATCH_14_LIFE"

// life is what such a controller is told.
type life struct {
	Kubeconfig, Namespace string
	// KillAt is the request at which the process is killed; 0 means never.
	KillAt int64
	// Answered says that the API server has got that request, and answered it, when it happens. Otherwise it gets
	// nothing.
	Answered bool
}

// start starts it. What it has written, as far as it could tell, is in told.
func (l life) start(t *testing.T) (told *told, died <-chan struct{}) {
	t.Helper()
	text, err := json.Marshal(l)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), lifeEnv+"="+string(text)), os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	told, ended := newTold(), make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			told.add(lines.Text())
		}
		_ = cmd.Wait() // it was killed
	}()
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		<-ended
	})
	return told, ended
}

// told are the writes of a controller.
type told struct {
	lock  sync.Mutex // guards lines
	lines []string
}

func newTold() *told { return &told{} }

func (t *told) add(line string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.lines = append(t.lines, line)
}

// after are those that came after the first n.
func (t *told) after(n int) []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return append([]string{}, t.lines[n:]...)
}

// runLife is the whole of a process that is a controller. It ends when it is killed, or its standard input is closed.
func runLife(text string) error {
	var l life
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return err
	}
	access, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return err
	}
	access.QPS = -1
	access.Wrap(func(next http.RoundTripper) http.RoundTripper { return &mortal{life: l, next: next} })
	m, err := manager.New(access, manager.Options{Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}}})
	if err != nil {
		return err
	}
	r := owned.New(m.GetClient(), m.GetAPIReader(), owned.Ours())
	if err := r.Setup(m, "processset", controller.Options{}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	return m.Start(ctx)
}

// mortal is a transport that tells each write that has succeeded on standard output, and kills the process at a
// request.
type mortal struct {
	life     life
	next     http.RoundTripper
	requests atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (m *mortal) RoundTrip(r *http.Request) (*http.Response, error) {
	last := m.requests.Add(1) == m.life.KillAt
	if last && !m.life.Answered {
		die()
	}
	response, err := m.next.RoundTrip(r)
	if last {
		die()
	}
	if err == nil && r.Method != http.MethodGet && response.StatusCode < 300 {
		fmt.Println(r.Method, r.URL.Path)
	}
	return response, err
}

// die is kill -9: nothing is deferred, flushed or closed.
func die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}
