package crash

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
)

// childEnv is the environment variable that has a test binary be a controller.
const childEnv = "SCRATCH_MIRROR_CHILD"

// Life is what a controller in a process of its own is told.
type Life struct {
	// Controller is a name that [Main] knows.
	Controller string
	// KillAt is the ordinal of the request at which the process is killed; 0 means never.
	KillAt int64
	// Answered says that the server has got that request, and answered it, when it happens. Otherwise it gets nothing.
	Answered bool

	Kubeconfig, Group string // [World.Start] knows them
}

// Main is the first call of TestMain in a package that kills controllers. In the process of one it does not return: it
// runs the controller of that name until it is killed, or its standard input is closed, as the test has ended.
func Main(controllers map[string]mirrortest.Controller) {
	text := os.Getenv(childEnv)
	if text == "" {
		return
	}
	var l Life
	err := json.Unmarshal([]byte(text), &l)
	if err == nil {
		err = l.run(controllers[l.Controller])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func (l Life) run(controller mirrortest.Controller) error {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &mortal{life: l, next: next} })
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	return controller(ctx, config, client, l.Group)
}

// mortal is a transport that tells each write that has succeeded on standard output, and kills the process at a
// request.
type mortal struct {
	life     Life
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
