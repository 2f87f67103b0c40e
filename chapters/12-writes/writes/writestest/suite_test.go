package writestest

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// wrong are ways to save that the suite has to find.
var wrong = map[string]Saves{
	"one patch for both": func(ctx context.Context, over writes.Writer, before, after client.Object) error {
		patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
		if err := over.Status().Patch(ctx, copied(after), patch); err != nil {
			return err
		}
		return over.Patch(ctx, copied(after), patch)
	},
	"without a lock": func(ctx context.Context, over writes.Writer, before, after client.Object) error {
		patch := client.MergeFrom(before)
		if err := over.Status().Patch(ctx, copied(after), patch); err != nil {
			return err
		}
		return over.Patch(ctx, after, patch)
	},
	"the first answer takes the second change": func(ctx context.Context, over writes.Writer,
		before, after client.Object) error {
		patch := client.MergeFrom(before)
		if err := over.Status().Patch(ctx, after, patch); err != nil {
			return err
		}
		return over.Patch(ctx, after, patch)
	},
	"again and again": func(ctx context.Context, over writes.Writer, before, after client.Object) error {
		return retry.RetryOnConflict(retry.DefaultRetry, func() error { return writes.Save(ctx, over, before, after) })
	},
	"nothing": func(context.Context, writes.Writer, client.Object, client.Object) error { return nil },
}

func copied(o client.Object) client.Object { return o.DeepCopyObject().(client.Object) }

// wrongEnv names one of them to a child of this test, which has the suite look at it.
const wrongEnv = "SCRATCH_12_WRONG"

// Each of them fails.
func TestTheSuiteFindsWhatIsWrong(t *testing.T) {
	if save := wrong[os.Getenv(wrongEnv)]; save != nil {
		Run(t, save)
		return
	}
	for name := range wrong {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$",
			"-rapid.nofailfile", "-rapid.checks=30", "-rapid.shrinktime=0s")
		child.Env = append(os.Environ(), wrongEnv+"="+name)
		out, err := child.CombinedOutput()
		var failed *exec.ExitError
		require.ErrorAs(t, err, &failed, "%s: %s", name, out)
		require.Contains(t, string(out), "--- FAIL: "+t.Name()+"/", name)
	}
}
