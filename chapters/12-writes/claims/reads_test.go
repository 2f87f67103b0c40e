package claims

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Not every client reads a cache: a clientset, a dynamic client, and controller-runtime's client without a cache, which
// is what a manager calls its APIReader, send a request for each read, and the answer has what was written before it.
// Only the client of a manager reads a cache, asks nobody, and shows what its watch has told.
//
// covers: B-73 S0-29
func TestWhoReadsACache(t *testing.T) {
	s := newStage(t)
	c := s.cached(nil)
	web := s.pods("web", "web=web:1")
	s.create(web)
	c.seesVersion(web)
	counts := newWire(s.HTTPClient().Transport)
	over := &http.Client{Transport: counts}
	set, err := kubernetes.NewForConfigAndClient(s.config, over)
	require.NoError(t, err)
	anyKind, err := dynamic.NewForConfigAndClient(s.config, over)
	require.NoError(t, err)
	loose := anyKind.Resource(corev1.SchemeGroupVersion.WithResource("podtemplates")).Namespace(s.Namespace)
	plain, err := client.New(s.config, client.Options{HTTPClient: over, Scheme: s.scheme, Mapper: s.live.RESTMapper()})
	require.NoError(t, err)

	c.wire.hold()
	elsewhere(s, web, func(p *corev1.PodTemplate) { mark(p, "theirs", "yes") })
	c.wire.requests()
	for name, read := range map[string]func() (metav1.Object, error){
		"clientset": func() (metav1.Object, error) {
			return set.CoreV1().PodTemplates(s.Namespace).Get(t.Context(), "web", metav1.GetOptions{})
		},
		"dynamic": func() (metav1.Object, error) { return loose.Get(t.Context(), "web", metav1.GetOptions{}) },
		"client.New": func() (metav1.Object, error) {
			p := s.pods("web")
			return p, plain.Get(t.Context(), client.ObjectKeyFromObject(p), p)
		},
	} {
		for range 3 {
			p, err := read()
			require.NoError(t, err, name)
			require.Equal(t, "yes", p.GetLabels()["theirs"], name)
		}
		require.Equal(t, []string{"GET podtemplates/web", "GET podtemplates/web", "GET podtemplates/web"},
			counts.requests(), name)
	}
	read := s.pods("web")
	for range 3 {
		require.NoError(t, c.Get(t.Context(), client.ObjectKeyFromObject(read), read))
		require.Empty(t, read.Labels, "the past")
	}
	require.Empty(t, c.wire.requests())

	elsewhere(s, web, func(p *corev1.PodTemplate) { mark(p, "later", "yes") })
	mine := onServer(s, web)
	elsewhere(s, web, func(p *corev1.PodTemplate) { mark(p, "theirs", "again") })
	err = s.live.Update(t.Context(), mine)
	require.True(t, apierrors.IsConflict(err), "what the server has just said is of the past too: %v", err)
}

// How far a cache is can be asked: its informer's store knows the version that the watch has told of last, and versions
// of one kind can be compared. Who waits for the version that it has written reads what it has written.
//
// covers: B-73
func TestACacheSaysHowFarItIs(t *testing.T) {
	s := newStage(t)
	web := s.pods("web", "web=web:1")
	s.create(web)
	wire := newWire(s.HTTPClient().Transport)
	set, err := kubernetes.NewForConfigAndClient(s.config, &http.Client{Transport: wire})
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithNamespace(s.Namespace))
	informer := factory.Core().V1().PodTemplates().Informer()
	changed := make(chan struct{}, 1)
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		UpdateFunc: func(any, any) { changed <- struct{}{} }})
	require.NoError(t, err)
	stop := make(chan struct{})
	factory.Start(stop)
	defer factory.Shutdown()
	defer close(stop)
	defer wire.release()
	factory.WaitForCacheSync(stop)

	wire.hold()
	mark(web, "mine", "yes")
	require.NoError(t, s.live.Update(t.Context(), web))
	shows := func() (order int, labels map[string]string) {
		order, err := resourceversion.CompareResourceVersion(informer.GetStore().LastStoreSyncResourceVersion(),
			web.ResourceVersion)
		require.NoError(t, err)
		item, found, err := informer.GetStore().GetByKey(s.Namespace + "/web")
		require.NoError(t, err)
		require.True(t, found)
		return order, item.(*corev1.PodTemplate).Labels
	}
	order, labels := shows()
	require.Equal(t, -1, order)
	require.Empty(t, labels)
	wire.release()
	<-changed
	order, labels = shows()
	require.GreaterOrEqual(t, order, 0)
	require.Equal(t, map[string]string{"mine": "yes"}, labels)
}

// metrics is the page of the API server's metrics.
func (s *stage) metrics() []string {
	s.t.Helper()
	response, page := s.Do(http.MethodGet, "/metrics", nil)
	require.Equal(s.t, http.StatusOK, response.StatusCode)
	return strings.Split(string(page), "\n")
}

// total adds up the samples of the lines that have all the parts.
func total(t *testing.T, page []string, parts ...string) (sum float64) {
	t.Helper()
line:
	for _, line := range page {
		for _, part := range parts {
			if !strings.Contains(line, part) {
				continue line
			}
		}
		n, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		require.NoError(t, err)
		sum += n
	}
	return sum
}

// A read that is no cache's need not be a read of etcd's objects. A list comes from the server's watch cache, also page
// by page. It asks etcd for its revision alone, and waits until the cache is that far. A get of one object is read from
// etcd, if it does not say that any version will do.
//
// covers: B-74
func TestAListIsNotReadFromEtcd(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	s := newStage(t)
	things := s.NewKind() // nobody else asks for them
	group := `group="` + strings.Split(things, "/")[2] + `"`
	for _, name := range []string{"a", "b"} {
		version := strings.Split(things, "/")[2] + "/v1"
		s.Must(http.MethodPost, things, map[string]any{"apiVersion": version, "kind": "Thing",
			"metadata": map[string]any{"name": name}}, nil)
	}
	const times = 10
	type counts struct{ lists, cached, consistent, revisions, gets float64 }
	count := func(path string) counts {
		now := func() counts {
			page := s.metrics()
			return counts{
				total(t, page, "apiserver_storage_list_total{", group),
				total(t, page, "apiserver_storage_list_total{", group, `storage="watchcache"`),
				total(t, page, "apiserver_watch_cache_consistent_read_total{", group, `success="true"`),
				total(t, page, "etcd_request_duration_seconds_count{", group, `operation="getCurrentResourceVersion"`),
				total(t, page, "etcd_request_duration_seconds_count{", group, `operation="get"`)}
		}
		before := now()
		for range times {
			s.Must(http.MethodGet, path, nil, nil)
		}
		after := now()
		return counts{after.lists - before.lists, after.cached - before.cached, after.consistent - before.consistent,
			after.revisions - before.revisions, after.gets - before.gets}
	}
	for _, path := range []string{things, things + "?limit=1"} {
		n := count(path)
		t.Log(path, n)
		require.Equal(t, n.lists, n.cached, "none of another storage")
		require.GreaterOrEqual(t, n.cached, float64(times))
		require.GreaterOrEqual(t, n.consistent, float64(times))
		require.GreaterOrEqual(t, n.revisions, float64(times))
		require.Zero(t, n.gets)
	}
	n := count(things + "/a")
	require.Equal(t, float64(times), n.gets)
	require.Zero(t, count(things+"/a?resourceVersion=0").gets)
}

// Get and List give copies, each its own, to change as one likes, in one goroutine. What a handler, a predicate or a
// map function is given is the cache's own object. Who changes that has every read show what the server never had. So
// does a cache that is told not to copy.
//
// covers: B-80 S0-39
func TestWhoseObjectItIs(t *testing.T) {
	s := newStage(t)
	c := s.cached(nil)
	web := s.pods("web", "web=web:1")
	s.create(web)
	c.seesVersion(web)
	key := client.ObjectKeyFromObject(web)
	read := func(of *cached) (*corev1.PodTemplate, *corev1.PodTemplateList) {
		p, list := s.pods("web"), &corev1.PodTemplateList{}
		require.NoError(t, of.Get(t.Context(), key, p))
		require.NoError(t, of.List(t.Context(), list))
		return p, list
	}
	got, list := read(c)
	mark(got, "mine", "yes")
	list.Items[0].Template.Spec.Containers[0].Image = "web:2"
	got, list = read(c)
	require.Empty(t, got.Labels)
	require.Equal(t, []string{"web=web:1"}, containers(&list.Items[0]))

	informer, err := c.cache.GetInformer(t.Context(), web)
	require.NoError(t, err)
	told := make(chan struct{})
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
		o.(*corev1.PodTemplate).Labels = map[string]string{"handler": "yes"}
		close(told)
	}})
	require.NoError(t, err)
	<-told
	got, _ = read(c)
	require.Equal(t, map[string]string{"handler": "yes"}, got.Labels, "read from the cache")
	require.Empty(t, onServer(s, web).Labels)

	unsafe := s.cached(func(o *cache.Options, _ *client.CacheOptions) {
		yes := true
		o.DefaultUnsafeDisableDeepCopy = &yes
	})
	_, list = read(unsafe)
	list.Items[0].Template.Spec.Containers[0].Image = "web:3"
	got, _ = read(unsafe)
	require.Equal(t, []string{"web=web:3"}, containers(got))
}

// A write goes to the server, and what is read afterwards comes from a cache that its watch has not told of it. So one
// writes late, and reads no more: the object that was passed has what came back, and a further write can be made from
// it. Who reads again reads the past, and would be refused.
//
// covers: B-96 S0-34
func TestAReadAfterAWrite(t *testing.T) {
	s := newStage(t)
	c := s.cached(nil)
	web := s.process("web")
	s.create(web)
	c.seesVersion(web)
	c.wire.hold()
	c.wire.requests()
	written := copyOf(web)
	written.Spec.Args = []string{"60"}
	require.NoError(t, c.Update(t.Context(), written))
	require.Equal(t, []string{"PUT processes/web"}, c.wire.requests(), "past the cache")
	require.NotEqual(t, web.ResourceVersion, written.ResourceVersion)
	require.Equal(t, int64(2), written.Generation, "what the server has counted")

	var read v1alpha1.Process
	require.NoError(t, c.Get(t.Context(), client.ObjectKeyFromObject(web), &read))
	require.Empty(t, read.Spec.Args, "not what was written")
	mark(&read, "again", "yes")
	err := c.Update(t.Context(), &read)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	mark(written, "again", "yes")
	require.NoError(t, c.Update(t.Context(), written))

	c.wire.release()
	c.seesVersion(written)
	require.NoError(t, c.Get(t.Context(), client.ObjectKeyFromObject(web), &read))
	require.Equal(t, []string{"60"}, read.Spec.Args)
}
