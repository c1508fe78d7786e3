// A vector whose first N elements live inside it, so that planning the common case never allocates.
// Only what the library uses: no exception guarantees beyond the basic one, no custom allocators.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace crinkle::detail {

template <class T, std::size_t N>
class SmallVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept = default;
  explicit SmallVector(std::size_t n, const T& value = T()) { resize(n, value); }
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  template <class It>
    requires(!std::is_integral_v<It>)
  SmallVector(It first, It last) {
    append(first, last);
  }
  SmallVector(const SmallVector& other) { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~SmallVector() { release(); }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  bool is_inline() const noexcept { return data_ == inline_data(); }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& front() noexcept { return data_[0]; }
  const T& front() const noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  void clear() noexcept {
    std::destroy_n(data_, size_);
    size_ = 0;
  }
  void resize(std::size_t n, const T& value = T()) {
    if (n < size_) {
      std::destroy_n(data_ + n, size_ - n);
    } else {
      reserve(n);
      std::uninitialized_fill_n(data_ + size_, n - size_, value);
    }
    size_ = n;
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) {
      T value(std::forward<Args>(args)...);  // the arguments may live in the storage that grow() frees
      grow(2 * capacity_);
      std::construct_at(data_ + size_, std::move(value));
    } else {
      std::construct_at(data_ + size_, std::forward<Args>(args)...);
    }
    return data_[size_++];
  }
  void pop_back() noexcept { std::destroy_at(data_ + --size_); }
  template <class It>
  void append(It first, It last) {
    reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) emplace_back(*first);
  }
  T* insert(const T* position, const T& value) {
    const auto at = static_cast<std::size_t>(position - data_);
    push_back(value);
    std::rotate(data_ + at, data_ + size_ - 1, data_ + size_);
    return data_ + at;
  }
  T* erase(const T* position) { return erase(position, position + 1); }
  T* erase(const T* first, const T* last) {
    T* to = data_ + (first - data_);
    T* end_of_kept = std::move(data_ + (last - data_), end(), to);
    std::destroy(end_of_kept, end());
    size_ = static_cast<std::size_t>(end_of_kept - data_);
    return to;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  T* inline_data() noexcept { return std::launder(reinterpret_cast<T*>(inline_)); }
  const T* inline_data() const noexcept { return std::launder(reinterpret_cast<const T*>(inline_)); }

  void grow(std::size_t n) {
    T* bigger = std::allocator<T>().allocate(n);
    std::uninitialized_move_n(data_, size_, bigger);
    std::destroy_n(data_, size_);
    if (!is_inline()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = bigger;
    capacity_ = n;
  }
  void take(SmallVector& other) noexcept {
    if (other.is_inline()) {
      std::uninitialized_move_n(other.data_, other.size_, inline_data());
      size_ = other.size_;
      other.clear();
    } else {
      data_ = std::exchange(other.data_, other.inline_data());
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, N);
    }
  }
  void release() noexcept {
    clear();
    if (!is_inline()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inline_data();
    capacity_ = N;
  }

  alignas(T) std::byte inline_[N * sizeof(T)];
  T* data_ = inline_data();
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace crinkle::detail
