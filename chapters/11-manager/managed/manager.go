package managed

import (
	"errors"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// fieldManager is the name under which the API server notes what the controller has written.
const fieldManager = "mirror"

// New makes a manager with the controller in it, which its Start runs until the context ends. over may be nil: then the
// configuration says how the API server is reached.
func New(access *rest.Config, over *http.Client, o Options) (manager.Manager, error) {
	if over != nil {
		access = Over(access, over.Transport)
	}
	m, err := manager.New(access, ManagerOptions(o))
	if err != nil {
		return nil, err
	}
	return m, Setup(m, o)
}

// Over is a configuration whose requests pass a transport, which knows whom it talks to and for whom. A manager has no
// option for an HTTP client: it makes its own.
func Over(access *rest.Config, transport http.RoundTripper) *rest.Config {
	over := rest.AnonymousClientConfig(access)
	over.TLSClientConfig = rest.TLSClientConfig{}
	over.Transport = transport
	return over
}

// ManagerOptions are those of a manager that [Setup] is called with: what it caches, and what its client does.
func ManagerOptions(o Options) manager.Options {
	group := cache.ByObject{Label: labels.SelectorFromSet(labels.Set{mirror.Group: o.Group})}
	return manager.Options{
		Logger:     o.Logger,
		Metrics:    server.Options{BindAddress: "0"},                    // or it listens on port 8080
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, // two in one process have this name
		Cache: cache.Options{
			ByObject: map[client.Object]cache.ByObject{
				&corev1.ConfigMap{}: group,
				&corev1.Namespace{}: group,
			},
			ReaderFailOnMissingInformer: true, // or a read of something else would begin to watch all of it
			NewInformer:                 o.Parts.NewInformer,
		},
		Client: client.Options{
			FieldOwner: fieldManager,
			Cache:      &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(o.OwnWrites == Awaited)},
		},
	}
}

// Setup gives a manager the controller. The manager has not begun yet.
//
// Upstream: what kubebuilder calls SetupWithManager.
func Setup(m manager.Manager, o Options) error {
	if o.Group == "" {
		return errors.New("a mirror controller needs a group: Options.Group is empty, and would select nothing")
	}
	o = o.defaulted()
	r := &reconciler{over: m.GetClient(), observe: o.Observe}
	if o.OwnWrites == Noted {
		r.written, r.cache = mirror.NewWritten(), m.GetCache()
	}
	return builder.ControllerManagedBy(m).Named("mirror").
		WatchesRawSource(watched(m)).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: o.Workers,
			RateLimiter:             o.Limiter,
			NewQueue:                o.Parts.NewQueue,
			CacheSyncTimeout:        o.SyncTimeout,
		}).
		Complete(r)
}
