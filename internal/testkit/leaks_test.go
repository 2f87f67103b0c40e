package testkit

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// TestLeaked: a goroutine has time to end, and one that never ends is named.
func TestLeaked(t *testing.T) {
	late := make(chan struct{})
	time.AfterFunc(3*time.Second, func() { close(late) }) // longer than goleak looks
	go func() { <-late }()
	if err := leaked(patience); err != nil {
		t.Errorf("a goroutine that ends later: %v", err)
	}

	stop := make(chan struct{})
	go leaving(stop)
	if err := leaked(0); err == nil || !strings.Contains(err.Error(), "testkit.leaving") {
		t.Errorf("a goroutine that is left: %v", err)
	}
	close(stop)
}

func leaving(stop chan struct{}) { <-stop }

// TestEndless: upstream leaves the goroutines that endless names, so that the list falls with the pin that mends it.
func TestEndless(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	c, err := cache.New(&rest.Config{Host: "http://127.0.0.1:1"}, cache.Options{
		Scheme: scheme, Mapper: mapper, HTTPClient: http.DefaultClient,
		DefaultNamespaces: map[string]cache.Config{"one": {}, "two": {}},
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	informer, err := c.GetInformer(stopped, &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{}); err != nil {
		t.Fatal(err)
	}
	if err := leaked(patience); err != nil {
		t.Error(err)
	}
	left := goleak.Find()
	for _, name := range []string{"newMultiNamespaceInformer.func1", "newMultiNamespaceInformerHandlerRegistration.func1"} {
		if left == nil || !strings.Contains(left.Error(), name) {
			t.Errorf("%s has ended, and need not be in the list any more: %v", name, left)
		}
	}
}
