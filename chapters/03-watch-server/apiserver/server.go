package apiserver

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// Options are the server's times. Zero values mean the defaults.
type Options struct {
	BookmarkEvery time.Duration // between two bookmarks on a quiet watch; default 1 minute
	WatchTimeout  time.Duration // how long a watch lasts that did not say; default 30 minutes
	WriteTimeout  time.Duration // how long one flush to a client may take; default 30 seconds
}

// Server is the HTTP handler.
type Server struct {
	options  Options
	store    *storage.Store
	mux      *http.ServeMux
	scheme   *runtime.Scheme // Go types by kind: only for protobuf
	codecs   serializer.CodecFactory
	protobuf runtime.SerializerInfo

	mu        sync.RWMutex
	resources []Resource
}

// New makes a server that keeps its objects in store and serves resources; Install adds more.
func New(store *storage.Store, options Options, resources ...Resource) *Server {
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	options.WatchTimeout = cmp.Or(options.WatchTimeout, 30*time.Minute)
	options.WriteTimeout = cmp.Or(options.WriteTimeout, 30*time.Second)
	s := &Server{options: options, store: store, mux: http.NewServeMux()}
	s.scheme = runtime.NewScheme()
	metav1.AddToGroupVersion(s.scheme, schema.GroupVersion{Version: "v1"})
	s.codecs = serializer.NewCodecFactory(s.scheme)
	s.protobuf, _ = runtime.SerializerInfoForMediaType(s.codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	s.discovery()
	for _, r := range resources {
		s.Install(r)
	}
	return s
}

// Install begins to serve a resource, as creating a CustomResourceDefinition does upstream. One with Go types has to
// be installed before the first request. It panics when the resource is installed already.
func (s *Server) Install(r Resource) {
	s.store.Install(r.groupResource().String())
	if r.AddToScheme != nil {
		utilruntime.Must(r.AddToScheme(s.scheme))
	}
	collection := r.collection()
	for pattern, serve := range map[string]func(Resource, http.ResponseWriter, *http.Request) error{
		"GET " + collection:                s.list, // and watch: a list with watch=true
		"POST " + collection:               s.create,
		"DELETE " + collection:             s.deleteCollection,
		"GET " + collection + "/{name}":    s.get,
		"PUT " + collection + "/{name}":    s.update,
		"PATCH " + collection + "/{name}":  s.patch,
		"DELETE " + collection + "/{name}": s.delete,
	} {
		s.handle(pattern, r, serve)
	}
	if !r.ClusterScoped {
		s.handle("GET "+r.root()+"/"+r.Plural, r, s.list) // in all namespaces
	}
	s.mu.Lock()
	s.resources = append(s.resources, r)
	s.mu.Unlock()
}

// handle routes a pattern. A handler writes JSON, and the client gets the encoding that it asked for. What the handler
// returns as an error, the client gets as a Status.
func (s *Server) handle(pattern string, resource Resource,
	serve func(Resource, http.ResponseWriter, *http.Request) error) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		encoding, err := negotiate(r.Header.Get("Accept"), resource.encodings())
		if encoding == runtime.ContentTypeProtobuf {
			w = &inProtobuf{ResponseWriter: w, server: s, code: http.StatusOK}
		}
		if err == nil {
			err = refuseDryRun(r.URL.Query()["dryRun"])
		}
		if err == nil {
			err = serve(resource, w, r)
		}
		if err != nil {
			writeError(w, resource, r.PathValue("name"), err)
		}
	})
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }
