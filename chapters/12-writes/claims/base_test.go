package claims

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// A program that ends between its two writes has saved the status, and the next one goes on from there. Upstream's
// CreateOrPatch saves the spec first: the same end, and what the run has started is known to nobody.
//
// covers: S0-47 S0-48
func TestAProgramThatEndsBetweenTwoWrites(t *testing.T) {
	y := newYard(t)
	for i, s := range scenario.Savers() {
		p := y.read(t, []string{"ours", "upstreams"}[i])
		c, err := s.Crashed(t.Context(), y.user, client.ObjectKeyFromObject(p), 1)
		require.NoError(t, err)
		first, second := []string{"status"}, []string{"object"}
		if s.Name == "CreateOrPatch" {
			first, second = second, first
		}
		require.Equal(t, [2][]string{first, second}, c.Written)
		require.Equal(t, i+1, c.Started, s.Name)
		require.Equal(t, int32(1001+i), *c.Process.Status.PID, s.Name)
		require.Equal(t, "here", c.Process.Labels[scenario.Node])
	}
}

// Programs end after any number of writes, and somebody else writes in between. Then all is saved, and no more
// processes were started than programs have ended before they had saved anything, or were refused.
//
// covers: S0-40 S0-48
func TestProgramsThatEndAnywhere(t *testing.T) {
	y := newYard(t)
	random := rand.New(rand.NewPCG(12, 48))
	for range 30 {
		p, machine, allowed := y.read(t, names(random)), &scenario.Machine{}, 1
		request := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(p)}
		for program := 0; ; program++ {
			limit, saved := random.IntN(3), 0
			if program > 5 {
				limit = scenario.Never
			}
			over := scenario.Ending(y.user, limit, func(string) {
				if saved++; random.IntN(3) == 0 {
					require.NoError(t, y.annotate(t.Context(), request.NamespacedName, random))
				}
			})
			_, err := writes.New(over, machine.Run).Reconcile(t.Context(), request)
			if err == nil && limit == scenario.Never {
				break
			}
			require.True(t, err == nil || errors.Is(err, scenario.ErrEnded) || apierrors.IsConflict(err), "%v", err)
			if y.now(t, p).Status.PID == nil {
				allowed++
			}
		}
		now := y.now(t, p)
		require.NotNil(t, now.Status.PID)
		require.Equal(t, "here", now.Labels[scenario.Node])
		require.LessOrEqual(t, machine.Started(), allowed)
	}
}

// names makes a name that no other has.
func names(random *rand.Rand) string {
	name := make([]byte, 10)
	for i := range name {
		name[i] = byte('a' + random.IntN(26))
	}
	return string(name)
}

// annotate has somebody else write.
func (y *yard) annotate(ctx context.Context, key client.ObjectKey, random *rand.Rand) error {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"by":"somebody-%d"}}}`, random.IntN(1000))
	return y.user.Patch(ctx, scenario.Named(key.Namespace, key.Name),
		client.RawPatch(types.MergePatchType, []byte(patch)))
}
