package claims

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func init() { children["a panic that is not recovered"] = panicked }

// The scene of TestAClientNeedsALogger: each is the child's whole process.
const noLogger, aLogger = "a client, and no logger", "a client, and a logger"

// child runs this binary as one of its children, and gives what it wrote on stderr.
func child(t *testing.T, name string, args ...string) (said string, err error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	return stderr.String(), err
}

// TestScene is what a child of TestAClientNeedsALogger does: it makes a client half a minute after its process began. A
// bubble's clock begins in the year 2000, and comes to that moment at once.
func TestScene(t *testing.T) {
	switch os.Getenv(childEnv) {
	case aLogger:
		log.SetLogger(logr.Discard())
	case noLogger:
	default:
		return
	}
	began := time.Now()
	testkit.Bubble(t, func(t *testing.T) {
		time.Sleep(time.Until(began) + 30*time.Second)
		c, err := client.New(&rest.Config{Host: "http://deadEnd", Transport: deadEnd{}}, client.Options{})
		require.NoError(t, err)
		require.Error(t, c.Get(t.Context(), ctrlKey{Name: "menu"}, configMap("", "")))
	})
}

// deadEnd is a transport that leads to nobody.
type deadEnd struct{}

func (deadEnd) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNo }

// Who makes a client has a logger: the global one. Half a minute after its start a program that has set none is told
// so on stderr, once, with a stack, by whatever logs next. A client derives a logger when it is made, and so it may
// be that.
//
// covers: B-112
func TestAClientNeedsALogger(t *testing.T) {
	const complaint = "[controller-runtime] log.SetLogger(...) was never called; logs will not be displayed."
	said, err := child(t, noLogger, "-test.run=^TestScene$")
	require.NoError(t, err, said)
	require.Contains(t, said, complaint)
	require.Contains(t, said, "client.New", "the stack")
	require.Equal(t, 1, strings.Count(said, complaint))

	said, err = child(t, aLogger, "-test.run=^TestScene$")
	require.NoError(t, err, said)
	require.Empty(t, said)
}

// panicked is a controller that recovers from nothing.
func panicked() int {
	log.SetLogger(logr.Discard())
	c, err := controller.NewUnmanaged("mirror", controller.Options{RecoverPanic: ptr.To(false), Logger: logr.Discard(),
		Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			panic("the run's own words")
		})})
	if err == nil {
		err = c.Watch(adds(nil, menu))
	}
	if err == nil {
		err = c.Start(context.Background())
	}
	fmt.Fprintln(os.Stderr, "it has ended:", err)
	return 0
}

// A panic in a run ends the process if the controller was told not to recover from it. Otherwise it is an error like
// others.
//
// covers: C-27 B-93
func TestAPanicThatIsNotRecovered(t *testing.T) {
	said, err := child(t, "a panic that is not recovered")
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 2, exit.ExitCode(), "which is Go's own")
	require.Contains(t, said, "panic: the run's own words")
	require.NotContains(t, said, "it has ended")
}
