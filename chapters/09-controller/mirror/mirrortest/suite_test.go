package mirrortest_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
	testkit.Main(m)
}

// chosen is the environment variable that has this binary give a broken controller to the suite.
const chosen = "SCRATCH_BROKEN_CONTROLLER"

// TestSuiteRefuses shows that the suite notices each fault, and says so in the sentence that it breaks.
func TestSuiteRefuses(t *testing.T) {
	for name, f := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBroken$/"+regexp.QuoteMeta(f.breaks),
				"-test.v")
			own.Env = append(os.Environ(), chosen+"="+name)
			out, err := own.CombinedOutput()
			require.Error(t, err, "the suite takes it for a mirror controller")
			require.Contains(t, string(out), "--- FAIL: TestBroken/"+strings.ReplaceAll(f.breaks, " ", "_"))
			if f.says != "" {
				require.Contains(t, string(out), f.says)
			}
		})
	}
}

// TestBroken is what the processes of TestSuiteRefuses run.
func TestBroken(t *testing.T) {
	name := os.Getenv(chosen)
	if name == "" {
		return // in the process that starts them there is nothing to do
	}
	mirrortest.Run(t, faults()[name].controller())
}

// fault is a controller with one fault, the sentence that it breaks, and what the suite says.
type fault struct {
	break_       func(*mirror.Parts)
	breaks, says string
}

func (f fault) controller() mirrortest.Controller {
	return func(ctx context.Context, config *rest.Config, client *http.Client, group string) error {
		set, err := kubernetes.NewForConfigAndClient(config, client)
		if err != nil {
			return err
		}
		parts := mirror.ClientGo()
		f.break_(&parts)
		c, err := mirror.New(set, mirror.Options{Group: group, Parts: parts, Report: func(mirror.Key, error) {}})
		if err != nil {
			return err
		}
		return c.Run(ctx)
	}
}
