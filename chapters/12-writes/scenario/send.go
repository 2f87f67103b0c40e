package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Answer is what a server answered.
type Answer = scenario.Answer

// Object is an object as JSON has it.
type Object = writes.Object

// Wire sends requests, and counts them and their bytes.
type Wire struct {
	Client *http.Client

	requests, sent, received atomic.Int64
}

// Requests is how many there were. Sent and received are the bytes of bodies.
func (w *Wire) Requests() (n, sent, received int64) {
	return w.requests.Load(), w.sent.Load(), w.received.Load()
}

// Write sends a write to an object. A refusal is no error.
func (w *Wire) Write(ctx context.Context, url string, write writes.Write) (a Answer, err error) {
	if len(write.Query) > 0 {
		url += "?" + write.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, write.Method, url, bytes.NewReader(write.Body))
	if err != nil {
		return a, err
	}
	request.Header.Set("Content-Type", write.MediaType)
	return w.do(request)
}

// Read reads an object that has to be there.
func (w *Wire) Read(ctx context.Context, url string) (Object, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	a, err := w.do(request)
	if err == nil && !a.OK() {
		err = fmt.Errorf("GET %s: %s: %s", url, a, a.Refusal())
	}
	return a.Object().Object, err
}

// Create makes an object that has to be accepted.
func (w *Wire) Create(ctx context.Context, url, manager string, object Object) (Object, error) {
	return w.must(ctx, http.MethodPost, url+"?fieldManager="+manager, object)
}

// Delete deletes an object that has to be there.
func (w *Wire) Delete(ctx context.Context, url string) error {
	_, err := w.must(ctx, http.MethodDelete, url, nil)
	return err
}

func (w *Wire) must(ctx context.Context, method, url string, object Object) (Object, error) {
	write := writes.Write{Method: method, MediaType: "application/json"}
	if object != nil {
		write.Body = []byte(scenario.JSON(object))
	}
	a, err := w.Write(ctx, url, write)
	if err == nil && !a.OK() {
		err = fmt.Errorf("%s %s: %s: %s", method, url, a, a.Refusal())
	}
	return a.Object().Object, err
}

// do sends a request and reads the answer. Headers are not counted.
func (w *Wire) do(request *http.Request) (a Answer, err error) {
	w.requests.Add(1)
	w.sent.Add(max(0, request.ContentLength))
	response, err := w.Client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.Code, a.Header = response.StatusCode, response.Header
	a.Body, err = io.ReadAll(response.Body)
	w.received.Add(int64(len(a.Body)))
	return a, err
}

// refusal is an answer as the error that a client would make of it.
func refusal(a Answer) error {
	var status metav1.Status
	if json.Unmarshal(a.Body, &status) != nil {
		return fmt.Errorf("%s", a)
	}
	return &apierrors.StatusError{ErrStatus: status}
}
