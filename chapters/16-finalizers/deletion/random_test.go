package deletion_test

import (
	"context"
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var full = flag.Bool("full", false, "TestRandomHistories: 300 seeds, and not 30")

// Objects are deleted at each point of their life, with clean-ups that fail, a controller that is killed at one of its
// steps, a cache that is late, and a second controller with a finalizer of its own. No process is started without the
// finalizer, no finalizer goes before its process is dead, its log kept and its folder forgotten, nobody takes out
// another's, and each object that is deleted goes in the end.
func TestRandomHistories(t *testing.T) {
	seeds := uint64(30)
	if *full {
		seeds = 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			dir := t.TempDir() // removed outside of the bubble
			testkit.Bubble(t, func(t *testing.T) { require.Empty(t, play(t, seed, dir, nil)) })
		})
	}
}

// takesAll takes all finalizers out when one is to go.
func takesAll(over client.Client) client.Client {
	return interceptor.NewClient(over.(client.WithWatch), interceptor.Funcs{
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			if o.GetDeletionTimestamp() != nil {
				p = client.RawPatch(p.Type(), []byte(`{"metadata":{"finalizers":null}}`))
			}
			return over.Patch(ctx, o, p, options...)
		}})
}

// The histories notice a guard that does one thing wrong.
func TestTheHistoriesNotice(t *testing.T) {
	type parts struct {
		*deletion.Guard
		on    deletion.Machine
		keeps deletion.Archive
		busy  deletion.Busy
	}
	steps := func(p parts) deletion.Steps {
		return deletion.ProcessSteps(p.busy, p.on, p.keeps).(deletion.Steps)
	}
	for name, spoil := range map[string]func(p parts){
		"the finalizer goes at once": func(p parts) { p.Clean = deletion.Steps{} },
		"the finalizer never goes": func(p parts) {
			p.Clean = deletion.Steps{{Name: "Never", Do: func(context.Context, client.Object) error {
				return &deletion.Waiting{}
			}}}
		},
		"no finalizer": func(p parts) {
			p.Ours = func(client.Object) bool { return false }
			p.busy.(*kubelet.Kubelet).May = func(client.Object) bool { return true }
		},
		"what has moved away is kept": func(p parts) { p.Ours = nil },
		"forgotten before it is kept": func(p parts) { s := steps(p); p.Clean = deletion.Steps{s[0], s[2], s[1]} },
		"all finalizers go":           func(p parts) { p.Over = takesAll(p.Over) },
	} {
		t.Run(name, func(t *testing.T) {
			noticed := false
			for seed := uint64(0); seed < 50 && !noticed; seed++ {
				dir := t.TempDir()
				testkit.Bubble(t, func(t *testing.T) {
					noticed = len(play(t, seed, dir, func(g *deletion.Guard, k deletion.Busy, m deletion.Machine,
						a deletion.Archive) {
						spoil(parts{g, m, a, k})
					})) > 0
				})
			}
			require.True(t, noticed)
		})
	}
}

// blind is a kubelet of which nobody knows that a start has begun.
type blind struct{}

func (blind) Busy(types.NamespacedName, types.UID) bool { return false }

// A Process is deleted when its start has begun, and the machine does not know of that yet. A guard that asks the
// machine alone lets the object go, and then the process begins.
func TestAStartThatHasBegun(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil spoil
		wrong int
	}{{"ours", nil, 0}, {"the machine alone is asked", func(g *deletion.Guard, _ deletion.Busy, m deletion.Machine,
		a deletion.Archive) {
		g.Clean = deletion.ProcessSteps(blind{}, m, a)
	}, 1}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			testkit.Bubble(t, func(t *testing.T) {
				h := newHistory(t, 0, dir, c.spoil)
				defer h.site.Close()
				h.gate = kubelettest.NewGate(0, false)
				h.begin()
				defer func() { h.controller.Stop() }()
				h.site.Create(kubelettest.Process("web-0", func(p *v1alpha1.Process) { p.Spec.Command = "slow" }))
				time.Sleep(h.site.Lag + h.site.Lag + early/2) // the finalizer is in, and the start has begun
				h.site.Delete("web-0")
				time.Sleep(quiet)
				require.Nil(t, h.site.Get("web-0"))
				require.Len(t, h.wrong, c.wrong)
			})
		})
	}
}

// The guard has found no object of the name, and then there is one: the kubelet, which reads anew, starts nothing for
// what does not have the finalizer.
func TestWhatTheGuardHasNotSeen(t *testing.T) {
	for may, wrong := range map[bool]int{false: 0, true: 1} {
		dir := t.TempDir()
		testkit.Bubble(t, func(t *testing.T) {
			h := newHistory(t, 0, dir,
				func(g *deletion.Guard, k deletion.Busy, _ deletion.Machine, _ deletion.Archive) {
					g.Over = absent(g.Over)
					if may {
						k.(*kubelet.Kubelet).May = func(client.Object) bool { return true }
					}
				})
			defer h.site.Close()
			h.gate = kubelettest.NewGate(0, false)
			h.begin()
			defer func() { h.controller.Stop() }()
			h.site.Create(kubelettest.Process("web-0"))
			time.Sleep(quiet)
			require.Len(t, h.wrong, wrong)
		})
	}
}

// absent is a client whose first read finds nothing.
func absent(over client.Client) client.Client {
	var reads atomic.Int32
	return interceptor.NewClient(over.(client.WithWatch), interceptor.Funcs{
		Get: func(ctx context.Context, over client.WithWatch, at client.ObjectKey, o client.Object,
			options ...client.GetOption) error {
			if reads.Add(1) == 1 {
				return apierrors.NewNotFound(schema.GroupResource{Resource: "processes"}, at.Name)
			}
			return over.Get(ctx, at, o, options...)
		}})
}
