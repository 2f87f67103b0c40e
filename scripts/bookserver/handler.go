package main

import (
	"encoding/json"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// namespaces are what chapter 03's server does not know: to it a namespace is a part of a name. A run makes its own.
var namespaces = apiserver.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace",
	ShortNames: []string{"ns"}, ClusterScoped: true, AddToScheme: corev1.AddToScheme}

// newHandler makes a server of ConfigMaps and namespaces, of which "default" is there, as on the real one.
func newHandler() (http.Handler, error) {
	store := storage.New(storage.Options{})
	server := apiserver.New(store, apiserver.Options{}, namespaces, apiserver.ConfigMaps)
	_, err := store.Create(namespaceKey(metav1.NamespaceDefault), map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": metav1.NamespaceDefault, "uid": string(uuid.NewUUID()),
			"creationTimestamp": time.Now().UTC().Format(time.RFC3339)},
	})
	return withNamespaces(store, server), err
}

// withNamespaces refuses to create an object in a namespace that is not there. On the real server that is the work of
// an admission plugin, NamespaceLifecycle.
func withNamespaces(store *storage.Store, next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("POST /api/v1/namespaces/{namespace}/{resource}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("namespace")
		if _, err := store.Get(namespaceKey(name)); err == nil {
			next.ServeHTTP(w, r)
			return
		}
		status := apierrors.NewNotFound(schema.GroupResource{Resource: namespaces.Plural}, name).Status()
		status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(int(status.Code))
		_ = json.NewEncoder(w).Encode(status)
	})
	return mux
}

func namespaceKey(name string) storage.Key {
	return storage.Key{Resource: namespaces.Plural, Name: name}
}
