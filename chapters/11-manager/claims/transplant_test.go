package claims

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// What our parts make is of these types.
const (
	ourInformer = "*informer.SharedIndexInformer"
	ourQueue    = "*workqueue.RateLimitingQueue"
	ourPriority = "*priorityqueue.Queue"
)

// transplants are managers that have something of this book's in the place of their own, and what it has made then.
var transplants = map[string]struct {
	parts managed.Parts
	made  []string
}{
	"informer and queue": {managed.Book(), []string{ourInformer, ourInformer, ourQueue}},
	"informer and queue with priorities": {managed.BookPriority(),
		[]string{ourInformer, ourInformer, ourPriority}},
	"only the informer": {managed.Parts{NewInformer: managed.Book().NewInformer},
		[]string{ourInformer, ourInformer}},
	"only the queue": {managed.Parts{NewQueue: managed.Book().NewQueue}, []string{ourQueue}},
}

// TestAManagerRunsOnOurs gives a manager chapter 07's informer and chapter 08's queues, where it takes others, and has
// somebody write for a while on the API server. Then all has to be right, as it has to be without them.
func TestAManagerRunsOnOurs(t *testing.T) {
	for name, transplant := range transplants {
		t.Run(name, func(t *testing.T) {
			w := crash.New(t)
			var made types
			m, err := managed.New(kube.RESTConfig(t, w.Cluster.Cluster), nil,
				managed.Options{Group: w.Group, Parts: made.noted(transplant.parts)})
			require.NoError(t, err)
			t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(m.GetHTTPClient().Transport) })
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- m.Start(ctx) }()
			t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
			w.Trouble()
			require.ElementsMatch(t, transplant.made, made.all())
		})
	}
}

// types are those of what a manager has made of its parts.
type types struct {
	lock sync.Mutex // guards made
	made []string
}

func (n *types) note(what any) {
	n.lock.Lock()
	defer n.lock.Unlock()
	name, _, _ := strings.Cut(fmt.Sprintf("%T", what), "[")
	n.made = append(n.made, name)
}

func (n *types) all() []string {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.made
}

// noted notes what parts make.
func (n *types) noted(parts managed.Parts) managed.Parts {
	noted := parts
	if parts.NewInformer != nil {
		noted.NewInformer = func(lw cache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers cache.Indexers) cache.SharedIndexInformer {
			i := parts.NewInformer(lw, example, resync, indexers)
			n.note(i)
			return i
		}
	}
	if parts.NewQueue != nil {
		noted.NewQueue = func(name string, l workqueue.TypedRateLimiter[reconcile.Request]) managed.Queue {
			q := parts.NewQueue(name, l)
			n.note(q)
			return q
		}
	}
	return noted
}
