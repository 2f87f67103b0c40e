package claims

import (
	"context"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	over "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}

// site is a test's namespace, and a manager whose requests are recorded.
type site struct {
	*cluster.Cluster
	t       *testing.T
	user    client.Client
	record  *opened.Record
	manager manager.Manager
}

// newSite makes one. Its cache has the whole cluster, unless change says otherwise.
func newSite(t *testing.T, change func(*manager.Options)) *site {
	t.Helper()
	c := cluster.New(t)
	access := kube.RESTConfig(t, c.Cluster)
	installer, err := dynamic.NewForConfigAndClient(access, c.HTTPClient())
	require.NoError(t, err)
	require.NoError(t, install.CRDs(t.Context(), installer))
	user, err := client.New(access, client.Options{HTTPClient: c.HTTPClient(), Scheme: scenario.Known()})
	require.NoError(t, err)
	s := &site{Cluster: c, t: t, user: user, record: opened.New()}
	options := manager.Options{Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}}
	if change != nil {
		change(&options)
	}
	options.Cache.NewInformer = running.Drained(options.Cache.NewInformer)
	s.manager, err = manager.New(over.Over(&rest.Config{Host: c.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}},
		s.record.Transport("")(c.HTTPClient().Transport)), options)
	require.NoError(t, err)
	return s
}

// start runs the manager until the end of the test.
func (s *site) start() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.manager.Start(ctx) }()
	s.t.Cleanup(func() { cancel(); require.NoError(s.t, <-ended) })
	require.True(s.t, s.manager.GetCache().WaitForCacheSync(s.t.Context()))
}

// configMap makes one with these labels.
func (s *site) configMap(name string, labels map[string]string) *corev1.ConfigMap {
	s.t.Helper()
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name, Labels: labels}}
	require.NoError(s.t, s.user.Create(s.t.Context(), m))
	return m
}

// process makes one.
func (s *site) process(name string, change func(*v1alpha1.Process)) *v1alpha1.Process {
	s.t.Helper()
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name},
		Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	if change != nil {
		change(p)
	}
	require.NoError(s.t, s.user.Create(s.t.Context(), p))
	return p
}

// asked are the requests since it was called last.
func (s *site) asked() []string {
	all := s.record.Lines(opened.Requests)
	s.record.Restart()
	return all
}

// runs is a reconciler that notes what it was called for.
type runs struct {
	lock    sync.Mutex // guards all
	all     map[string]int
	changed chan struct{}
}

func newRuns() *runs { return &runs{all: map[string]int{}, changed: make(chan struct{}, 1000)} }

// Reconcile implements reconcile.Reconciler.
func (r *runs) Reconcile(_ context.Context, request reconcile.Request) (none reconcile.Result, err error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.all[request.Name]++
	r.changed <- struct{}{}
	return none, nil
}

// of is how often it was called for a name.
func (r *runs) of(name string) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.all[name]
}

// await waits until it was called for a name so often.
func (r *runs) await(t *testing.T, name string, times int) {
	t.Helper()
	for r.of(name) < times {
		select {
		case <-r.changed:
		case <-t.Context().Done():
			t.Fatalf("%s had %d runs, and not %d", name, r.of(name), times)
		}
	}
}
