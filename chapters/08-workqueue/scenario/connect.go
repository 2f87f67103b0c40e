package scenario

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Source lists and watches the run's ConfigMaps.
func Source(over kubernetes.Interface, namespace string) cache.ListerWatcher {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	lw := cache.NewFilteredListWatchFromClient(over.CoreV1().RESTClient(), "configmaps", namespace, own)
	return cache.ToListWatcherWithWatchListSemantics(lw, over)
}

// Aloud is client-go's client of the run's API server. Its requests show themselves.
func Aloud(l *lab.Lab) (kubernetes.Interface, error) {
	return clientset(l.Server.String(), l.Aloud(l.HTTPClient()))
}

// Quiet is Aloud, and shows nothing.
func Quiet(l *lab.Lab) (kubernetes.Interface, error) {
	return clientset(l.Server.String(), l.HTTPClient())
}

func clientset(host string, over *http.Client) (kubernetes.Interface, error) {
	config := &rest.Config{Host: host, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, over)
}
