package faultserver

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Options for [Listen].
type Options struct {
	// Target is the API server.
	Target *url.URL
	// Transport leads to it and adds the credentials.
	Transport http.RoundTripper
	// Upgrades does the same over HTTP/1.1, for WebSocket and SPDY connections that are not the script's business, such
	// as those of kubectl exec. Nil refuses them.
	Upgrades http.RoundTripper
	// Script says what goes wrong.
	Script Script
	// Port is where to listen on 127.0.0.1, 0 for a free one.
	Port int
	// Listener takes the place of a port of 127.0.0.1 with TLS on it, for a test that needs neither. Nil opens one.
	Listener net.Listener
	// Narrator shows requests and faults as they come, and the report.
	Narrator *lab.Narrator
	// Verbose shows all requests, whole queries, and how each list and watch ended.
	Verbose bool
}

// Server is the proxy of one run. It is safe for concurrent use.
type Server struct {
	o        Options
	door     *door
	plain    http.Handler
	upgrades http.Handler
	started  time.Time
	end      context.CancelFunc
	running  sync.WaitGroup // the listener and the requests

	processOf func(*http.Request) int // which process sent a request, 0 where that is not known

	mu        sync.Mutex // guards what follows, and keeps what is said in the order in which it happens
	resources map[string]*resource
	asked     []*asked // of all resources, in the order in which they came
	closed    bool
	lasted    time.Duration    // set with closed
	told      map[string]bool  // what was refused and shown, by program and reason
	others    map[string]bool  // resources that were listed or watched and are not the script's business
	programs  map[string][]int // the processes that were seen of each program
	spoke     speaker          // who was named last
	unsure    bool             // what came next may be another process's
}

// resource is what is kept of one resource: its proxy counts its requests.
type resource struct {
	proxy *faults.Proxy
	asked []*asked
}

// Listen starts a proxy. Close it to end its goroutines.
func Listen(o Options) (*Server, error) {
	d, err := openDoor(o.Listener, o.Port)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	s := &Server{o: o, door: d, started: time.Now(), end: end, resources: map[string]*resource{}}
	s.plain = pass(o.Target, o.Transport)
	s.upgrades = http.HandlerFunc(noUpgrades)
	if o.Upgrades != nil {
		s.upgrades = pass(o.Target, o.Upgrades)
	}
	s.told, s.others, s.programs = map[string]bool{}, map[string]bool{}, map[string][]int{}
	s.processOf = (&processes{proc: "/proc"}).of
	d.server.Handler = s
	d.server.BaseContext = func(net.Listener) context.Context { return ctx }
	s.running.Go(func() { _ = d.server.Serve(d.listener) }) // returns when Close closes the server
	return s, nil
}

// Close ends the requests that are open and waits for their goroutines. What was seen stays for Report.
func (s *Server) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed, s.lasted = true, time.Since(s.started)
		for _, a := range s.asked { // before its end looks like the client's doing
			if a.ended {
				continue
			}
			a.record = s.resources[a.resource].proxy.Record(a.n)
		}
	}
	s.mu.Unlock()
	err := s.door.server.Close()
	s.end()
	s.running.Wait()
	return err
}

// pass is a proxy that spoils nothing.
func pass(target *url.URL, transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, http.StatusBadGateway, "ServiceUnavailable",
				"the server behind the fault proxy does not answer: "+err.Error())
		},
	}
}

// ending closes a connection that was taken over from net/http when its request ends, so that Close has nothing to wait
// for: httputil.ReverseProxy waits for the client when the API server has closed its end.
type ending struct {
	http.ResponseWriter
	ctx context.Context
}

// Hijack implements http.Hijacker.
func (e ending) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, both, err := http.NewResponseController(e.ResponseWriter).Hijack()
	if err == nil {
		context.AfterFunc(e.ctx, func() { _ = conn.Close() })
	}
	return conn, both, err
}

// Unwrap is for http.ResponseController.
func (e ending) Unwrap() http.ResponseWriter { return e.ResponseWriter }

func noUpgrades(w http.ResponseWriter, r *http.Request) {
	refuse(w, http.StatusNotImplemented, "NotImplemented",
		"the fault proxy has no way to pass a connection of the protocol "+printable(r.Header.Get("Upgrade")))
}

// ServeHTTP lets in who has the token, and sends each request its way.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		return
	}
	defer s.running.Done()
	if !s.door.admits(r) {
		s.refused(r)
		refuse(w, http.StatusUnauthorized, "Unauthorized",
			"the fault proxy lets in who has the token of the kubeconfig that it wrote")
		return
	}
	r.Header.Del("Authorization") // it is the proxy's: the cluster has credentials of its own
	name, ok := collectionOf(r)
	if ok && s.o.Script.concerns(name) {
		s.counted(w, r, name)
		return
	}
	if ok {
		s.other(name)
	}
	s.passing(r)
	if r.Header.Get("Upgrade") != "" {
		s.upgrades.ServeHTTP(ending{w, r.Context()}, r)
		return
	}
	s.plain.ServeHTTP(w, r)
}

// enter counts a request among those that Close waits for, until Close is called.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.running.Add(1)
	}
	return !s.closed
}

// other notes a resource that the script does not speak of, for who has mistyped one.
func (s *Server) other(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.others[name] = true
}

// counted sends a list or a watch through the proxy of its resource.
func (s *Server) counted(w http.ResponseWriter, r *http.Request, name string) {
	a := &asked{resource: name, path: r.URL.Path, form: form(r.Header), agent: program(r.UserAgent()),
		userAgent: r.UserAgent(), process: s.processOf(r)}
	a.illegible = !inJSON(r.Header)
	proxy := s.proxyOf(name)
	ctx := context.WithValue(r.Context(), askedKey{}, a)
	if !isSocket(r) || faults.VerbOf(r) != faults.Watch {
		defer s.ended(proxy, a)
		notUpgraded(r.Header)
		proxy.ServeHTTP(w, r.WithContext(ctx))
		return
	}
	a.socket = true
	agreed, no := handshake(r)
	if no == nil && a.illegible {
		no = &unwelcome{http.StatusNotAcceptable, "NotAcceptable",
			"the fault proxy passes a watch over a WebSocket on in JSON, which the program does not accept"}
	}
	if no != nil {
		s.unwelcome(a, r, no)
		refuse(w, no.code, no.reason, no.advice)
		return
	}
	defer s.ended(proxy, a)
	notUpgraded(r.Header)
	overSocket(w, r.WithContext(ctx), agreed, proxy.ServeHTTP)
}

// notUpgraded takes from a request what asks for another protocol: the API server is asked over HTTP.
func notUpgraded(h http.Header) {
	for name := range h {
		if name == "Connection" || name == "Upgrade" || strings.HasPrefix(name, "Sec-Websocket-") {
			h.Del(name)
		}
	}
}

// askedKey is the context key under which a request carries what is kept of it.
type askedKey struct{}

// proxyOf is the proxy that counts a resource's requests.
func (s *Server) proxyOf(name string) *faults.Proxy {
	s.mu.Lock()
	defer s.mu.Unlock()
	res, ok := s.resources[name]
	if !ok {
		res = &resource{proxy: faults.NewHandler(s.o.Target, s.o.Transport, s.o.Script.of(name))}
		res.proxy.OnBegin(s.begun)
		res.proxy.OnFault(func(rec faults.Record, f faults.Fault) { s.strikes(res, rec, f) })
		s.resources[name] = res
	}
	return res.proxy
}

// begun notes a request that was counted.
func (s *Server) begun(r *http.Request, rec faults.Record) {
	a, ok := r.Context().Value(askedKey{}).(*asked)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a.n, a.verb, a.query, a.at = rec.N, rec.Verb, rec.Query, time.Since(s.started)
	a.record = rec
	res := s.resources[a.resource]
	for len(res.asked) < a.n { // two at once may come here in any order
		res.asked = append(res.asked, nil)
	}
	res.asked[a.n-1] = a
	s.asked = append(s.asked, a)
	s.sayRequest(a, r.URL.RawQuery)
}

// strikes notes a fault that comes to pass.
func (s *Server) strikes(res *resource, rec faults.Record, f faults.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := res.asked[rec.N-1]
	now := time.Since(s.started)
	age := now - a.at
	if !rec.Synced.IsZero() {
		age = time.Since(rec.Synced) // a reflector counts anew from there
	}
	hit := struck{f, now, len(s.asked), whereStruck(rec, f, age)}
	a.struck = append(a.struck, hit)
	s.sayFault(a, hit, meanings[f.Kind].does)
}
