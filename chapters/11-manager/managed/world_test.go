package managed_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// memory is an API server in memory, for a bubble, and somebody who writes to it.
type memory struct {
	t      *testing.T
	set    kubernetes.Interface
	access *rest.Config
	server http.RoundTripper
}

const group = "test"

func newMemory(t *testing.T) *memory {
	namespaces := apiserver.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", ClusterScoped: true,
		AddToScheme: corev1.AddToScheme}
	transport, stop := pipe.Serve(apiserver.New(storage.New(storage.Options{}),
		apiserver.Options{WatchTimeout: 1000 * time.Hour}, apiserver.ConfigMaps, namespaces))
	t.Cleanup(stop)
	m := &memory{t: t, server: transport, access: &rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}}
	var err error
	m.set, err = kubernetes.NewForConfigAndClient(m.access, &http.Client{Transport: transport})
	require.NoError(t, err)
	return m
}

// asks has a namespace ask for mirrors. A note on it is news.
func (m *memory) asks(name, note string) {
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name,
		Labels: map[string]string{mirror.Group: group, "note": note}}}
	_, err := m.set.CoreV1().Namespaces().Update(m.t.Context(), n, metav1.UpdateOptions{})
	if err != nil {
		_, err = m.set.CoreV1().Namespaces().Create(m.t.Context(), n, metav1.CreateOptions{})
	}
	require.NoError(m.t, err)
}

// source has home/menu be a source.
func (m *memory) source(value string) {
	c := &corev1.ConfigMap{Data: map[string]string{"today": value}, ObjectMeta: metav1.ObjectMeta{Name: "menu",
		Labels: map[string]string{mirror.Group: group, mirror.Role: mirror.Source}}}
	all := m.set.CoreV1().ConfigMaps("home")
	_, err := all.Update(m.t.Context(), c, metav1.UpdateOptions{})
	if err != nil {
		_, err = all.Create(m.t.Context(), c, metav1.CreateOptions{})
	}
	require.NoError(m.t, err)
}

// start starts a manager until it is stopped, at the end of the test at the latest.
func start(t *testing.T, m manager.Manager) (stop func() error, ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	end, result := make(chan struct{}), error(nil)
	go func() {
		defer close(end)
		result = m.Start(ctx)
	}()
	stop = func() error {
		cancel()
		<-end
		return result
	}
	t.Cleanup(func() { _ = stop() })
	return stop, end
}

func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// writes is a transport that remembers the writes, as in "PUT b/menu: 200".
type writes struct {
	next http.RoundTripper
	lock sync.Mutex // guards all
	all  []string
}

// RoundTrip implements http.RoundTripper.
func (w *writes) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(r)
	if err == nil && r.Method != http.MethodGet {
		w.lock.Lock()
		defer w.lock.Unlock()
		place := strings.Replace(strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/"), "/configmaps", "", 1)
		if r.Method == http.MethodPost {
			place += "/..."
		}
		w.all = append(w.all, fmt.Sprintf("%s %s: %d", r.Method, place, response.StatusCode))
	}
	return response, err
}

// take are the writes since the last take.
func (w *writes) take() []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	all := slices.Clone(w.all)
	w.all = nil
	return all
}
