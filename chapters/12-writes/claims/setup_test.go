package claims

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}

// patience is how long anything may take, on a machine that is busy.
const patience = time.Minute

// stage is a test's namespace, on a server that has the book's kinds.
type stage struct {
	*cluster.Cluster
	t       *testing.T
	ctx     context.Context
	config  *rest.Config
	dynamic *dynamic.DynamicClient
	scheme  *runtime.Scheme
	live    client.WithWatch // asks the server each time
}

func newStage(t *testing.T) *stage {
	t.Helper()
	c := cluster.New(t)
	s := &stage{Cluster: c, t: t, ctx: t.Context(), config: kube.RESTConfig(t, c.Cluster), scheme: runtime.NewScheme()}
	require.NoError(t, clientgoscheme.AddToScheme(s.scheme))
	require.NoError(t, v1alpha1.AddToScheme(s.scheme))
	var err error
	s.dynamic, err = dynamic.NewForConfigAndClient(s.config, c.HTTPClient())
	require.NoError(t, err)
	require.NoError(t, install.CRDs(t.Context(), s.dynamic))
	s.live, err = client.NewWithWatch(s.config, client.Options{HTTPClient: c.HTTPClient(), Scheme: s.scheme})
	require.NoError(t, err)
	return s
}

// named is the metadata of an object in the test's namespace.
func (s *stage) named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: s.Namespace, Name: name}
}

// pods is a PodTemplate, a built-in kind with lists that no controller looks at. A container is "name=image".
func (s *stage) pods(name string, containers ...string) *corev1.PodTemplate {
	p := &corev1.PodTemplate{ObjectMeta: s.named(name)}
	for _, c := range containers {
		addContainer(p, c)
	}
	return p
}

func addContainer(p *corev1.PodTemplate, container string) {
	name, image, _ := strings.Cut(container, "=")
	p.Template.Spec.Containers = append(p.Template.Spec.Containers, corev1.Container{Name: name, Image: image})
}

// addsProxy is what somebody else does to a PodTemplate.
func addsProxy(p *corev1.PodTemplate) { addContainer(p, "proxy=proxy:1") }

// podsSaid is what a manager says about a PodTemplate: these containers.
func (s *stage) podsSaid(name string, containers ...string) *coreapply.PodTemplateApplyConfiguration {
	spec := coreapply.PodSpec()
	for _, c := range containers {
		name, image, _ := strings.Cut(c, "=")
		spec.WithContainers(coreapply.Container().WithName(name).WithImage(image))
	}
	return coreapply.PodTemplate(name, s.Namespace).WithTemplate(coreapply.PodTemplateSpec().WithSpec(spec))
}

// containers are those of a PodTemplate, as pods takes them.
func containers(p *corev1.PodTemplate) (all []string) {
	for _, c := range p.Template.Spec.Containers {
		all = append(all, c.Name+"="+c.Image)
	}
	return all
}

// process is a Process, which no controller looks at either.
func (s *stage) process(name string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: s.named(name), Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// create creates an object on the server.
func (s *stage) create(o client.Object) {
	s.t.Helper()
	require.NoError(s.t, s.live.Create(s.ctx, o))
}

// onServer is an object as the server has it.
func onServer[T client.Object](s *stage, o T) T {
	s.t.Helper()
	read := copyOf(o)
	require.NoError(s.t, s.live.Get(s.ctx, client.ObjectKeyFromObject(o), read))
	return read
}

// elsewhere changes an object as somebody else would, who has just read it.
func elsewhere[T client.Object](s *stage, o T, change func(T)) {
	s.t.Helper()
	theirs := onServer(s, o)
	change(theirs)
	require.NoError(s.t, s.live.Update(s.ctx, theirs))
}

func copyOf[T client.Object](o T) T { return o.DeepCopyObject().(T) }

// mark sets a label.
func mark(o client.Object, label, value string) {
	labels := map[string]string{label: value}
	for name, value := range o.GetLabels() {
		if name != label {
			labels[name] = value
		}
	}
	o.SetLabels(labels)
}

// cached is a client that reads a cache, as a manager's does, and the wire of both.
type cached struct {
	client.Client
	s     *stage
	cache cache.Cache
	wire  *spy
}

// newCached makes one that sees the test's namespace. Its cache is not started.
func (s *stage) newCached(change func(*cache.Options, *client.CacheOptions)) *cached {
	s.t.Helper()
	c := &cached{s: s, wire: newWire(s.HTTPClient().Transport)}
	seen := cache.Options{HTTPClient: &http.Client{Transport: c.wire}, Scheme: s.scheme, Mapper: s.live.RESTMapper(),
		DefaultNamespaces: map[string]cache.Config{s.Namespace: {}}}
	read := client.CacheOptions{}
	if change != nil {
		change(&seen, &read)
	}
	var err error
	c.cache, err = cache.New(s.config, seen)
	require.NoError(s.t, err)
	read.Reader = c.cache
	c.Client, err = client.New(s.config, client.Options{HTTPClient: seen.HTTPClient, Scheme: s.scheme,
		Mapper: seen.Mapper, Cache: &read})
	require.NoError(s.t, err)
	return c
}

// cached makes one and starts its cache.
func (s *stage) cached(change func(*cache.Options, *client.CacheOptions)) *cached {
	s.t.Helper()
	c := s.newCached(change)
	c.start()
	return c
}

// start starts the cache, until the end of the test.
func (c *cached) start() {
	c.s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.cache.Start(ctx)
	}()
	c.s.t.Cleanup(func() {
		c.wire.release()
		cancel()
		<-ended
	})
	require.True(c.s.t, c.cache.WaitForCacheSync(c.s.ctx))
}

// sees returns when the cache shows of an object what is asked for. The cache's informer tells of each change.
func (c *cached) sees(o client.Object, ok func(read client.Object, err error) bool) {
	c.s.t.Helper()
	informer, err := c.cache.GetInformer(c.s.ctx, o)
	require.NoError(c.s.t, err)
	changed := make(chan struct{}, 1)
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { tell() }, UpdateFunc: func(any, any) { tell() }, DeleteFunc: func(any) { tell() }})
	require.NoError(c.s.t, err)
	defer func() {
		<-registration.HasSyncedChecker().Done() // or a goroutine waits for that, for ever
		require.NoError(c.s.t, informer.RemoveEventHandler(registration))
	}()
	for late := time.After(patience); ; {
		read := copyOf(o)
		if ok(read, c.cache.Get(c.s.ctx, client.ObjectKeyFromObject(o), read)) {
			return
		}
		select {
		case <-changed:
		case <-late:
			require.FailNow(c.s.t, "the cache does not show it", "after %v, but: %+v", patience, read)
		}
	}
}

// seesVersion returns when the cache shows an object in the version that is given.
func (c *cached) seesVersion(o client.Object) {
	c.s.t.Helper()
	c.sees(o, func(read client.Object, err error) bool {
		return err == nil && read.GetResourceVersion() == o.GetResourceVersion()
	})
}

// spy is a transport that writes down what is asked over it, and can hold back what watches tell.
type spy struct {
	next http.RoundTripper

	mu    sync.Mutex // guards what follows
	asked []string   // as opened.Describe has it
	paths []string
	open  chan struct{} // is closed while nothing is held back
}

func newWire(next http.RoundTripper) *spy {
	w := &spy{next: next, open: make(chan struct{})}
	close(w.open)
	return w
}

// RoundTrip implements http.RoundTripper.
func (w *spy) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asked, w.paths = append(w.asked, opened.Describe(r)), append(w.paths, r.URL.Path)
	w.mu.Unlock()
	response, err := w.next.RoundTrip(r)
	if err == nil && r.URL.Query().Has("watch") {
		response.Body = late{response.Body, w, r.Context()}
	}
	return response, err
}

// requests are those since the last time.
func (w *spy) requests() (asked []string) {
	asked, _ = w.requestsAndPaths()
	return asked
}

func (w *spy) requestsAndPaths() (asked, paths []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked, paths, w.asked, w.paths = w.asked, w.paths, nil, nil
	return asked, paths
}

// hold has whatever watches tell from now on wait.
func (w *spy) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = make(chan struct{})
}

// release lets it come.
func (w *spy) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.open:
	default:
		close(w.open)
	}
}

func (w *spy) opening() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

// late is the body of a watch.
type late struct {
	io.ReadCloser
	wire *spy
	ctx  context.Context // of the request
}

func (l late) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	select {
	case <-l.wire.opening():
	case <-l.ctx.Done():
	}
	return n, err
}
